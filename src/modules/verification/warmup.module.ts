import { Module, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Meter } from '../../kernel/meter.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { ProcessRoles } from '../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../platform/database/transactions/postgres-unit-of-work.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { MemoryWarmupStore } from '../../engine/egress/adapters/memory-warmup-store.js';
import { PostgresWarmupStore } from './adapters/postgres-warmup-store.js';
import { EgressWarmup } from '../../engine/egress/egress-warmup.js';
import { PROVIDERS } from '../../engine/dns/mail-exchange.js';
import { WarmupStore } from '../../engine/egress/warmup.js';

/** The daily ceilings of new egresses. The counters belong to the installation. */
@Module({
  providers: [
    {
      provide: WarmupStore,
      // A run of the command line has no database, and separate counters.
      useFactory: (
        { smtp }: Config,
        clock: Clock,
        roles: ProcessRoles,
        work?: PostgresUnitOfWork,
      ): WarmupStore => {
        const unknown = [...smtp.warmup.starts.keys()].find((provider) => !PROVIDERS.includes(provider));
        if (unknown !== undefined)
          throw new ConfigError(`EGRESS_WARMUP must name providers of this list: ${PROVIDERS.join(', ')}.`);
        if (work === undefined || !(roles.api || roles.worker)) return new MemoryWarmupStore(clock);
        return new PostgresWarmupStore(work);
      },
      inject: [Config, Clock, ProcessRoles, { token: PostgresUnitOfWork, optional: true }],
    },
    {
      provide: EgressWarmup,
      // Its options contain callbacks.
      useFactory: ({ smtp }: Config, store: WarmupStore, clock: Clock, log: Log) => {
        const warm = new Set(smtp.egresses.filter(({ isWarm }) => isWarm).map(({ key }) => key));
        return new EgressWarmup({
          plan: smtp.warmup,
          store,
          isWarm: (egress) => warm.has(egress),
          nowMs: () => clock.monotonicMs(),
          onStoreError: (error) =>
            log.warn(
              { err: describeError(error) },
              'the counters of new egresses cannot be read: large providers are not probed through them',
            ),
        });
      },
      inject: [Config, WarmupStore, Clock, Log],
    },
  ],
  exports: [WarmupStore, EgressWarmup],
})
export class WarmupModule implements OnModuleInit {
  constructor(
    private readonly warmup: EgressWarmup,
    private readonly meter: Meter,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const names = new Map(this.config.smtp.egresses.map(({ key, name }) => [key, name]));
    this.meter.gauge('rcpt_egress_warmup_probes', () =>
      [...this.warmup.ceilings()].flatMap(({ egress, provider, ceiling, used }) => {
        const labels = [names.get(egress) ?? '', provider];
        return [
          { labels: [...labels, 'ceiling'], value: ceiling },
          { labels: [...labels, 'used'], value: used },
        ];
      }),
    );
  }
}
