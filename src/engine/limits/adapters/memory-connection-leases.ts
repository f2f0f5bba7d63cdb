import { ConnectionLeases, type ConnectionLease } from '../connection-leases.js';

const UNLIMITED: ConnectionLease = {
  allowed: Infinity,
  others: 0,
  processes: 1,
  isShared: false,
  update: () => undefined,
  onOpening: () => undefined,
};

/** For a process without a store, such as a run of the command line: only its own limits apply. */
export class MemoryConnectionLeases extends ConnectionLeases {
  override leaseFor(): ConnectionLease {
    return UNLIMITED;
  }
}
