import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { ProcessRoles } from '../../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import { SharedConnectionPermits } from '../../../engine/limits/adapters/shared-connection-permits.js';
import { StoredSharedState } from '../../../engine/limits/adapters/stored-shared-state.js';
import { ConnectionPermits, NO_SHARED_PERMITS } from '../../../engine/limits/connection-permits.js';
import { PermitStore } from '../../../engine/limits/permit-store.js';
import { SharedStateStore } from '../../../engine/limits/shared-state-store.js';
import { NO_SHARED_STATE, SharedState } from '../../../engine/limits/shared-state.js';
import { PostgresPermitStore } from './adapters/postgres-permit-store.js';
import { PostgresSharedStateStore } from './adapters/postgres-shared-state-store.js';
import { PostgresWarmupStore } from './adapters/postgres-warmup-store.js';
import { KNOWN_LIMITS } from '../../../engine/providers/session-limits.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import { limitOf, sessionsOf, type ProviderState } from '../../../engine/limits/provider-sessions.js';
import { WarmupStore } from '../../../engine/egress/warmup-store.js';

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
                'connections to mail servers cannot be shared: none is opened until the database responds',
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
      useFactory: (...database: Parameters<typeof databaseOf>): WarmupStore | null => {
        const work = databaseOf(...database);
        return work === undefined ? null : new PostgresWarmupStore(work);
      },
      inject: DATABASE,
    },
  ],
  exports: [PermitStore, SharedStateStore, ConnectionPermits, SharedState, WarmupStore],
})
export class SharedLimitsModule implements OnApplicationBootstrap {
  constructor(private readonly state: SharedState) {}

  /** The permits in a database that a process has opened by itself, as the doctor does. */
  static permitsIn(database: DataSource): PermitStore {
    return new PostgresPermitStore(new PostgresUnitOfWork(database));
  }

  /** The same for who only looks, by names: other egresses and providers are not named. */
  static async sessionsIn(
    database: DataSource,
    egresses: readonly EgressSettings[],
  ): Promise<ProviderState[]> {
    const sessions = sessionsOf(await SharedLimitsModule.permitsIn(database).listUsage(), {
      egressOf: (key) => egresses.find((egress) => egress.key === key)?.name ?? 'another egress',
      isKnown: (provider) => KNOWN_LIMITS[provider] !== undefined,
    });
    return sessions.map((one) => ({ ...one, notDialled: limitOf(one) }));
  }

  /** Starts after all subscribers have registered. */
  onApplicationBootstrap(): void {
    this.state.start();
  }
}
