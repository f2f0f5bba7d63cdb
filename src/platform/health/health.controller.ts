import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../http/documented.js';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Clock } from '../../kernel/clock.js';
import { Lifecycle } from '../../kernel/lifecycle.js';
import { HealthRegistry, type HealthStatus } from '../../kernel/health-registry.js';
import { isMigrated } from '../database/migrate.js';
import { Public } from '../http/route-policy.js';
import { NotReady } from '../http/problems.js';

/** A probe that waits longer than this tells its caller nothing any more. */
const PATIENCE_MS = 1_500;

const Alive = z.strictObject({ status: z.literal('ok') });
const Ready = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  checks: z.record(z.string(), z.enum(['ok', 'degraded'])),
});

@ApiTags('Health')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lifecycle: Lifecycle,
    private readonly health: HealthRegistry,
    private readonly clock: Clock,
  ) {}

  @Get('livez')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'livez', summary: 'The process runs' })
  @ApiOkResponse({ standardSchema: Alive, description: 'It does.' })
  live(): z.infer<typeof Alive> {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'readyz', summary: 'The process can answer' })
  @ApiOkResponse({ standardSchema: Ready, description: 'Everything that an answer needs is there.' })
  async ready(): Promise<z.infer<typeof Ready>> {
    if (this.lifecycle.isDraining)
      throw new NotReady('The process is shutting down.', { failing: 'process' });
    const database = await this.inTime(this.databaseState());
    if (database === 'migrations missing') {
      throw new NotReady('The database lacks migrations.', { failing: 'migrations' });
    }
    if (database !== 'ok') throw new NotReady('The database does not answer.', { failing: 'database' });
    const checks: Record<string, HealthStatus> = {
      database: 'ok',
      migrations: 'ok',
      ...this.health.statuses(),
    };
    return { status: Object.values(checks).includes('degraded') ? 'degraded' : 'ok', checks };
  }

  private async databaseState(): Promise<'ok' | 'migrations missing'> {
    return (await isMigrated(this.dataSource)) ? 'ok' : 'migrations missing';
  }

  private async inTime<T>(work: Promise<T>): Promise<T | 'silent'> {
    const done = new AbortController();
    const patience = this.clock.pause(PATIENCE_MS, done.signal).then(() => 'silent' as const);
    return Promise.race([work.catch(() => 'silent' as const), patience]).finally(() => done.abort());
  }
}
