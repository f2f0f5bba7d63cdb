import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { HealthRegistry } from '../../../kernel/service-state/health-registry.js';
import { Pause } from '../../../kernel/service-state/pause.js';
import { Config } from '../../config/config.js';
import { ProcessRoles } from '../../config/process-roles.js';
import { describeError, Log } from '../../telemetry/log.js';

const INTERVAL_MS = 2_000;

/**
 * The pause is a row, so that an archive contains it, one command ends it for all processes, and a restored database is
 * paused before a process sees it.
 */
@Injectable()
export class StoredPause implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pause: Pause,
    private readonly config: Config,
    private readonly roles: ProcessRoles,
    health: HealthRegistry,
    private readonly log: Log,
  ) {
    health.register(
      'work',
      () => (pause.isPaused ? 'degraded' : 'ok'),
      () => this.sentence(),
    );
    pause.onChange(() => log.warn({}, pause.isPaused ? this.sentence() : 'resumed'));
  }

  /** Before the first task or job of this process begins. A command has no role, and is not paused. */
  async onModuleInit(): Promise<void> {
    if (!this.roles.api && !this.roles.worker) return;
    if (this.config.isPaused) await beginPause(this.dataSource);
    await this.read();
    this.timer = setInterval(() => void this.readLogged(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  async read(): Promise<void> {
    const [row] = await this.dataSource.query<{ since: Date }[]>('SELECT since FROM service_pause');
    this.pause.set(row?.since ?? null);
  }

  /** @returns false: it was not paused. */
  async end(): Promise<boolean> {
    const [, ended] = await this.dataSource.query<[unknown, number]>('DELETE FROM service_pause');
    return ended > 0;
  }

  /** Without the database the last known state stays. */
  private async readLogged(): Promise<void> {
    await this.read().catch((error: unknown) =>
      this.log.warn({ err: describeError(error) }, 'whether the service is paused could not be read'),
    );
  }

  private sentence(): string {
    const since = this.pause.since?.toISOString() ?? '';
    return `paused since ${since}: no lists, rechecks, schedules, webhooks, mails and self-checks; \`rcpt resume\` ends it`;
  }
}

/** A pause that has begun keeps its time. */
export async function beginPause(database: Pick<DataSource | QueryRunner, 'query'>): Promise<void> {
  await database.query('INSERT INTO service_pause (since) VALUES (now()) ON CONFLICT DO NOTHING');
}
