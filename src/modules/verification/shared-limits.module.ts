import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { ProcessRoles } from '../../platform/config/process-roles.js';
import { PostgresUnitOfWork } from '../../platform/database/transactions/postgres-unit-of-work.js';
import { Log } from '../../platform/telemetry/log.js';
import { MemoryConnectionLeases } from '../../engine/limits/adapters/memory-connection-leases.js';
import { PostgresFactStore } from './adapters/postgres-fact-store.js';
import { PostgresLeaseStore } from './adapters/postgres-lease-store.js';
import { SharedConnectionLeases } from '../../engine/limits/adapters/shared-connection-leases.js';
import { StoredSharedState } from '../../engine/limits/adapters/stored-shared-state.js';
import { ConnectionLeases } from '../../engine/limits/connection-leases.js';
import { LeaseStore } from '../../engine/limits/lease-store.js';
import { FactStore, NO_SHARED_STATE, SharedState } from '../../engine/limits/shared-state.js';

/** The stores through which processes share limits; null: this process shares none. */
export abstract class SharedStores {
  abstract readonly leases: LeaseStore | null;
  abstract readonly facts: FactStore | null;
}

/** Identifies this process in both. */
const PROCESS = randomUUID();

/**
 * The limits and facts that the processes of an installation share about mail servers, in PostgreSQL. A run
 * of the command line shares nothing.
 */
@Module({
  providers: [
    {
      provide: SharedStores,
      useFactory: (roles: ProcessRoles, work?: PostgresUnitOfWork): SharedStores => {
        if (work === undefined || !(roles.api || roles.worker)) return { leases: null, facts: null };
        return { leases: new PostgresLeaseStore(work), facts: new PostgresFactStore(work) };
      },
      inject: [ProcessRoles, { token: PostgresUnitOfWork, optional: true }],
    },
    {
      provide: ConnectionLeases,
      // Without a store the leases are those of this process.
      useFactory: ({ leases }: SharedStores, clock: Clock, log: Log): ConnectionLeases => {
        if (leases === null) return new MemoryConnectionLeases();
        const onChange = (error: unknown) =>
          error === null
            ? log.info({}, 'connections to mail servers are shared with the other processes again')
            : log.warn(
                leases.describe(error),
                'connections to mail servers cannot be shared: each process takes its last share',
              );
        return new SharedConnectionLeases({ store: leases, process: PROCESS, clock, onChange });
      },
      inject: [SharedStores, Clock, Log],
    },
    {
      provide: SharedState,
      useFactory: ({ facts: store }: SharedStores, clock: Clock): SharedState =>
        store === null ? NO_SHARED_STATE : new StoredSharedState({ store, process: PROCESS, clock }),
      inject: [SharedStores, Clock],
    },
  ],
  exports: [SharedStores, ConnectionLeases, SharedState],
})
export class SharedLimitsModule implements OnApplicationBootstrap {
  constructor(private readonly facts: SharedState) {}

  /** Starts after all subscribers have registered. */
  onApplicationBootstrap(): void {
    this.facts.start();
  }
}
