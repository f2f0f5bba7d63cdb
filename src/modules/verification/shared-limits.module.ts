import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { ProcessRoles } from '../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../platform/database/transactions/postgres-unit-of-work.js';
import { Log } from '../../platform/telemetry/log.js';
import { MemoryConnectionPermits } from '../../engine/limits/adapters/memory-connection-permits.js';
import { PostgresSharedStateStore } from './adapters/postgres-shared-state-store.js';
import { PostgresPermitStore } from './adapters/postgres-permit-store.js';
import { SharedConnectionPermits } from '../../engine/limits/adapters/shared-connection-permits.js';
import { StoredSharedState } from '../../engine/limits/adapters/stored-shared-state.js';
import { ConnectionPermits } from '../../engine/limits/connection-permits.js';
import { PermitStore } from '../../engine/limits/permit-store.js';
import { SharedStateStore, NO_SHARED_STATE, SharedState } from '../../engine/limits/shared-state.js';

/** The stores through which processes share limits; null: this process shares none. */
export abstract class SharedStores {
  abstract readonly permits: PermitStore | null;
  abstract readonly state: SharedStateStore | null;
}

/** Identifies this process in both. */
const PROCESS = randomUUID();

/**
 * The permits and the state that the processes of an installation share about mail servers, in PostgreSQL. A run
 * of the command line shares nothing.
 */
@Module({
  providers: [
    {
      provide: SharedStores,
      useFactory: (roles: ProcessRoles, work?: PostgresUnitOfWork): SharedStores => {
        if (work === undefined || !(roles.api || roles.worker)) return { permits: null, state: null };
        return { permits: new PostgresPermitStore(work), state: new PostgresSharedStateStore(work) };
      },
      inject: [ProcessRoles, { token: PostgresUnitOfWork, optional: true }],
    },
    {
      provide: ConnectionPermits,
      // Without a store the permits are those of this process.
      useFactory: ({ permits }: SharedStores, clock: Clock, log: Log): ConnectionPermits => {
        if (permits === null) return new MemoryConnectionPermits();
        const onChange = (error: unknown) =>
          error === null
            ? log.info({}, 'connections to mail servers are shared with the other processes again')
            : log.warn(
                permits.describe(error),
                'connections to mail servers cannot be shared: each process takes its last share',
              );
        return new SharedConnectionPermits({ store: permits, process: PROCESS, clock, onChange });
      },
      inject: [SharedStores, Clock, Log],
    },
    {
      provide: SharedState,
      useFactory: ({ state: store }: SharedStores, clock: Clock): SharedState =>
        store === null ? NO_SHARED_STATE : new StoredSharedState({ store, process: PROCESS, clock }),
      inject: [SharedStores, Clock],
    },
  ],
  exports: [SharedStores, ConnectionPermits, SharedState],
})
export class SharedLimitsModule implements OnApplicationBootstrap {
  constructor(private readonly state: SharedState) {}

  /** Starts after all subscribers have registered. */
  onApplicationBootstrap(): void {
    this.state.start();
  }
}
