import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import {
  PERMIT_TIMES,
  PermitStore,
  type PermitGrant,
  type PermitRequest,
  type PermitTimes,
  type PermitUsage,
} from '../../../engine/limits/permit-store.js';

/** A function (migration `sync_smtp_permits`), so that locking, deciding and writing take one round trip. */
const SYNC = `
  SELECT granted, others, contended, processes
    FROM sync_smtp_permits($1, $2::jsonb, $3, $4) ORDER BY request`;

const USAGE = `
  SELECT l.egress, l.server, min(share.most) AS limit, sum(share.granted)::integer AS used,
         coalesce(sum(share.queued), 0)::integer AS waiting
    FROM smtp_permits l, jsonb_each(l.shares) AS s,
         jsonb_to_record(s.value) AS share (granted integer, queued integer, most integer, until bigint)
   WHERE starts_with(l.server, $1) AND share.until > extract(epoch FROM clock_timestamp()) * 1000
   GROUP BY l.egress, l.server ORDER BY l.egress, l.server`;

export class PostgresPermitStore extends PermitStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly times: PermitTimes = PERMIT_TIMES,
  ) {
    super();
  }

  async sync(process: string, requests: readonly PermitRequest[]): Promise<PermitGrant[]> {
    const { ttlMs, turnMs } = this.times;
    return this.work.pool.query<PermitGrant[]>(SYNC, [process, JSON.stringify(requests), ttlMs, turnMs]);
  }

  usage(prefix: string): Promise<PermitUsage[]> {
    return this.work.pool.query<PermitUsage[]>(USAGE, [prefix]);
  }

  /** Rows of servers that no process uses any more. */
  override async deleteExpired(): Promise<number> {
    return purge(this.work, {
      table: 'smtp_permits',
      where: "expires_at < now() - interval '1 minute'",
      orderBy: 'expires_at',
    });
  }
}
