import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import {
  LEASE_TIMES,
  LeaseStore,
  type LeaseGrant,
  type LeaseRequest,
  type LeaseTimes,
} from '../../../engine/limits/lease-store.js';

/** A function (migration `smtp-leases`), so that locking, deciding and writing take one round trip. */
const SYNC = `
  SELECT granted, others, contended, processes
    FROM sync_smtp_leases($1, $2::jsonb, $3, $4) ORDER BY request`;

export class PostgresLeaseStore extends LeaseStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly times: LeaseTimes = LEASE_TIMES,
  ) {
    super();
  }

  async sync(process: string, requests: readonly LeaseRequest[]): Promise<LeaseGrant[]> {
    const { ttlMs, turnMs } = this.times;
    return this.work.pool.query<LeaseGrant[]>(SYNC, [process, JSON.stringify(requests), ttlMs, turnMs]);
  }

  /** Rows of servers that no process uses any more. */
  override async deleteExpired(): Promise<number> {
    return purge(this.work, {
      table: 'smtp_leases',
      where: "expires_at < now() - interval '1 minute'",
      orderBy: 'expires_at',
    });
  }
}
