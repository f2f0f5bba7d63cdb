import { grantOf, type Share } from '../../../../engine/limits/grant.js';
import {
  PERMIT_TIMES,
  PermitStore,
  type PermitGrant,
  type PermitRequest,
  type PermitTimes,
  type PermitUsage,
} from '../../../../engine/limits/permit-store.js';
import type { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';

interface Row {
  egress: string;
  provider: string;
  shares: (Share & { untilMs: number })[];
  /** Read after the row was locked. */
  nowMs: number;
}

/** Locks the rows, in the order of their key, so that two processes never wait for each other. */
const LOCK = `
  INSERT INTO smtp_permits AS p (egress, provider)
  SELECT egress, provider FROM jsonb_to_recordset($1::jsonb) AS r (egress text, provider text) ORDER BY 1, 2
  ON CONFLICT (egress, provider) DO UPDATE SET egress = excluded.egress
  RETURNING p.egress, p.provider, p.shares, extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;
/** The time of expiry is a whole minute, so that the index is seldom written. */
const SAVE = `
  UPDATE smtp_permits AS p
     SET shares = r.shares, expires_at = date_trunc('minute', clock_timestamp()) + interval '1 minute' + $2::interval
    FROM jsonb_to_recordset($1::jsonb) AS r (egress text, provider text, shares jsonb)
   WHERE p.egress = r.egress AND p.provider = r.provider`;
const USAGE = `
  SELECT p.egress, p.provider, min(share."limit") AS "limit",
         sum(greatest(share.allowed, share.held))::integer AS used, sum(share.queued)::integer AS waiting,
         (array_agg(share."blockedBy" ORDER BY share.queued DESC)
            FILTER (WHERE share.queued > 0 AND share."blockedBy" IS NOT NULL))[1] AS "blockedBy"
    FROM smtp_permits p, jsonb_to_recordset(p.shares)
           AS share (allowed integer, held integer, queued integer, "blockedBy" text, "limit" integer, "untilMs" float8)
   WHERE share."untilMs" > extract(epoch FROM clock_timestamp()) * 1000
   GROUP BY p.egress, p.provider ORDER BY p.egress, p.provider`;

/** The table `smtp_permits`. */
export class PostgresPermitStore extends PermitStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly times: PermitTimes = PERMIT_TIMES,
  ) {
    super();
  }

  sync(process: string, requests: readonly PermitRequest[]): Promise<PermitGrant[]> {
    return this.work.runInNew(async () => {
      const { manager } = this.work;
      const { ttlMs, turnMs } = this.times;
      const keys = requests.map(({ egress, provider }) => ({ egress, provider }));
      const rows = await manager.query<Row[]>(LOCK, [JSON.stringify(keys)]);
      const rowOf = new Map(rows.map((row) => [keyOf(row), row]));
      const changed: Omit<Row, 'nowMs'>[] = [];
      const grants = requests.map(({ egress, provider, ...demand }) => {
        const { shares, nowMs } = rowOf.get(keyOf({ egress, provider }))!;
        const valid = shares.filter(({ untilMs }) => untilMs > nowMs);
        const last = valid.find((share) => share.process === process) ?? null;
        const others = valid.filter((share) => share !== last);
        const { grant, share } = grantOf({ process, last, ...demand }, others, nowMs, turnMs);
        const own = share.wanted > 0 || share.held > 0 ? [{ ...share, untilMs: nowMs + ttlMs }] : [];
        changed.push({ egress, provider, shares: [...others, ...own] });
        return grant;
      });
      await manager.query(SAVE, [JSON.stringify(changed), `${ttlMs} milliseconds`]);
      return grants;
    });
  }

  override listUsage(): Promise<PermitUsage[]> {
    return this.work.pool.query<PermitUsage[]>(USAGE);
  }

  /** Rows of providers that no process uses any more. */
  override deleteExpired(): Promise<number> {
    const where = "expires_at < now() - interval '1 minute'";
    return purge(this.work, { table: 'smtp_permits', where, orderBy: 'expires_at' });
  }
}

function keyOf({ egress, provider }: Pick<Row, 'egress' | 'provider'>): string {
  return `${egress} ${provider}`;
}
