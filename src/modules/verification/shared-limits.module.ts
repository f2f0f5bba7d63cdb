import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { ProcessRoles } from '../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../platform/database/transactions/postgres-unit-of-work.js';
import { describeError, Log } from '../../platform/telemetry/log.js';
import { NO_SHARED_PERMITS, ConnectionPermits } from '../../engine/limits/connection-permits.js';
import { PostgresLimitsStore } from './adapters/postgres-limits-store.js';
import { SharedConnectionPermits } from '../../engine/limits/adapters/shared-connection-permits.js';
import { StoredSharedState } from '../../engine/limits/adapters/stored-shared-state.js';
import { LimitsStore } from '../../engine/limits/limits-store.js';
import { NO_SHARED_STATE, SharedState } from '../../engine/limits/shared-state.js';

/** Identifies this process in the store. */
const PROCESS = randomUUID();

/**
 * The permits and the state that the processes of an installation share about mail servers, in PostgreSQL. A run
 * of the command line shares nothing: it has no store.
 */
@Module({
  providers: [
    {
      provide: LimitsStore,
      useFactory: (roles: ProcessRoles, work?: PostgresUnitOfWork): LimitsStore | null =>
        work === undefined || !(roles.api || roles.worker) ? null : new PostgresLimitsStore(work),
      inject: [ProcessRoles, { token: PostgresUnitOfWork, optional: true }],
    },
    {
      provide: ConnectionPermits,
      // Without a store the permits are those of this process.
      useFactory: (store: LimitsStore | null, clock: Clock, log: Log): ConnectionPermits => {
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
      inject: [LimitsStore, Clock, Log],
    },
    {
      provide: SharedState,
      useFactory: (store: LimitsStore | null, clock: Clock): SharedState =>
        store === null ? NO_SHARED_STATE : new StoredSharedState({ store, process: PROCESS, clock }),
      inject: [LimitsStore, Clock],
    },
  ],
  exports: [LimitsStore, ConnectionPermits, SharedState],
})
export class SharedLimitsModule implements OnApplicationBootstrap {
  constructor(private readonly state: SharedState) {}

  /** Starts after all subscribers have registered. */
  onApplicationBootstrap(): void {
    this.state.start();
  }
}
