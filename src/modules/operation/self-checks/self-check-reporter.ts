import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HealthRegistry } from '../../../kernel/service-state/health-registry.js';
import { Meter } from '../../../kernel/meter.js';
import { Config } from '../../../platform/config/config.js';
import { isListing, type CheckStatus, type SelfCheck } from './domain/self-check.js';
import { SelfChecksService } from './self-checks.service.js';

const INTERVAL_MS = 30_000;

const VALUES: Readonly<Record<CheckStatus, number>> = { pass: 1, warn: 0.5, fail: 0, unknown: -1 };

/**
 * Reports the last results to the metrics, and listed egresses to `/readyz`, which is public: by name only. It reads
 * them at an interval, so that a scrape needs no connection to the database.
 */
@Injectable()
export class SelfCheckReporter implements OnApplicationBootstrap, OnApplicationShutdown {
  private last: readonly SelfCheck[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly checks: SelfChecksService,
    private readonly config: Config,
    health: HealthRegistry,
    meter: Meter,
  ) {
    meter.gauge('rcpt_self_check', () =>
      this.last.map(({ name, egress, status }) => ({ labels: [name, egress], value: VALUES[status] })),
    );
    if (config.selfCheckMs === 0) return;
    health.register(
      'blocklists',
      () => (this.listed().length > 0 ? 'degraded' : 'ok'),
      () =>
        `${this.listed().join(', ')}: on a DNS list that mail servers use; the checks of the system name it`,
    );
  }

  onApplicationBootstrap(): void {
    if (this.config.selfCheckMs === 0) return;
    void this.look();
    this.timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** Reads the results of the process that has made them. That the database fails is reported by `/readyz` itself. */
  async look(): Promise<void> {
    this.last = await this.checks.list().catch(() => this.last);
  }

  private listed(): string[] {
    return this.last.filter(isListing).map(({ egress }) => egress);
  }
}
