import { Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { Meter } from '../../kernel/meter.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { ProcessRoles } from '../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../platform/database/transactions/postgres-unit-of-work.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { PROVIDERS } from '../../engine/providers/mail-exchange.js';
import { MemoryWarmupStore } from '../../engine/egress/adapters/memory-warmup-store.js';
import { EgressWarmup } from '../../engine/egress/egress-warmup.js';
import { SharedConnectionPermits } from '../../engine/limits/adapters/shared-connection-permits.js';
import { StoredSharedState } from '../../engine/limits/adapters/stored-shared-state.js';
import { ConnectionPermits, NO_SHARED_PERMITS } from '../../engine/limits/connection-permits.js';
import { PermitStore } from '../../engine/limits/permit-store.js';
import { SharedStateStore } from '../../engine/limits/shared-state-store.js';
import { NO_SHARED_STATE, SharedState } from '../../engine/limits/shared-state.js';
import { PostgresPermitStore } from './adapters/postgres-permit-store.js';
import { PostgresSharedStateStore } from './adapters/postgres-shared-state-store.js';
import { PostgresWarmupStore } from './adapters/postgres-warmup-store.js';
import { WarmupStore } from '../../engine/egress/warmup-store.js';

/** Identifies this process in the store. */
const PROCESS = randomUUID();

/** A run of the command line has no database, or does not use it for these. */
const DATABASE = [ProcessRoles, { token: PostgresUnitOfWork, optional: true }];
const databaseOf = ({ api, worker }: ProcessRoles, work?: PostgresUnitOfWork) =>
  api || worker ? work : undefined;

/**
 * What the processes of an installation share about mail servers, in PostgreSQL: permits, what each has learned,
 * and the counters of new egresses with their daily ceilings. A run of the command line shares nothing.
 */
@Module({
  providers: [
    {
      provide: PermitStore,
      useFactory: (...database: Parameters<typeof databaseOf>): PermitStore | null => {
        const work = databaseOf(...database);
        return work === undefined ? null : new PostgresPermitStore(work);
      },
      inject: DATABASE,
    },
    {
      provide: SharedStateStore,
      useFactory: (...database: Parameters<typeof databaseOf>): SharedStateStore | null => {
        const work = databaseOf(...database);
        return work === undefined ? null : new PostgresSharedStateStore(work);
      },
      inject: DATABASE,
    },
    {
      provide: ConnectionPermits,
      // Without a store the permits are those of this process.
      useFactory: (store: PermitStore | null, clock: Clock, log: Log): ConnectionPermits => {
        if (store === null) return NO_SHARED_PERMITS;
        const onChange = (error: unknown) =>
          error === null
            ? log.info({}, 'connections to mail servers are shared with the other processes again')
            : log.warn(
                { err: describeError(error) },
                'connections to mail servers cannot be shared: each process uses its last share',
              );
        return new SharedConnectionPermits({ store, process: PROCESS, clock, onChange });
      },
      inject: [PermitStore, Clock, Log],
    },
    {
      provide: SharedState,
      useFactory: (store: SharedStateStore | null, clock: Clock, log: Log): SharedState => {
        if (store === null) return NO_SHARED_STATE;
        const onChange = (error: unknown) =>
          error === null
            ? log.info({}, 'what is known of mail servers is shared with the other processes again')
            : log.warn(
                { err: describeError(error) },
                'what is known of mail servers cannot be shared: each process uses what it has learned itself',
              );
        return new StoredSharedState({ store, process: PROCESS, clock, onChange });
      },
      inject: [SharedStateStore, Clock, Log],
    },
    {
      provide: WarmupStore,
      useFactory: (clock: Clock, ...database: Parameters<typeof databaseOf>): WarmupStore => {
        const work = databaseOf(...database);
        return work === undefined ? new MemoryWarmupStore(clock) : new PostgresWarmupStore(work);
      },
      inject: [Clock, ...DATABASE],
    },
    {
      provide: EgressWarmup,
      // Its options contain callbacks.
      useFactory: ({ smtp }: Config, store: WarmupStore, clock: Clock, log: Log) => {
        const unknown = [...smtp.warmup.starts.keys()].find((provider) => !PROVIDERS.includes(provider));
        if (unknown !== undefined)
          throw new ConfigError(`EGRESS_WARMUP must name providers of this list: ${PROVIDERS.join(', ')}.`);
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
  exports: [PermitStore, SharedStateStore, ConnectionPermits, SharedState, WarmupStore, EgressWarmup],
})
export class SharedLimitsModule implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly state: SharedState,
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

  /** Starts after all subscribers have registered. */
  onApplicationBootstrap(): void {
    this.state.start();
  }
}
