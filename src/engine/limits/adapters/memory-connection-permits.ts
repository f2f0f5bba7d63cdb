import { ConnectionPermits, type ServerPermits } from '../connection-permits.js';

const UNLIMITED: ServerPermits = {
  allowed: Infinity,
  others: 0,
  processes: 1,
  isShared: false,
  update: () => undefined,
  onOpening: () => undefined,
};

/** For a process without a store, such as a run of the command line: only its own limits apply. */
export class MemoryConnectionPermits extends ConnectionPermits {
  override permitsFor(): ServerPermits {
    return UNLIMITED;
  }
}
