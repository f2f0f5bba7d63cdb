import { SharedStateStore, type SharedPage } from '../../../../engine/limits/shared-state-store.js';
import type { SharedEntry } from '../../../../engine/limits/shared-state.js';
import type { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';

const PAGE = 2_000;
/** A row becomes visible when its statement commits, which is after the time that it carries. */
const OVERLAP = '5 seconds';
/** At the end of a page that is not the last one: the next page continues there. */
const EXACT = 'exact ';

const WRITE = `
  WITH written AS (
    INSERT INTO smtp_shared_state AS f (kind, key, value, process, changed_at, expires_at)
    SELECT kind, key, value, $1, clock_timestamp(), clock_timestamp() + "ttlMs" * interval '1 millisecond'
      FROM jsonb_to_recordset($2::jsonb) AS x (kind text, key text, value jsonb, "ttlMs" double precision)
     ORDER BY kind, key
    ON CONFLICT (kind, key) DO UPDATE
       SET value = excluded.value, process = excluded.process,
           changed_at = excluded.changed_at, expires_at = excluded.expires_at
  )`;
const READ = `
  SELECT kind, key, value, changed_at::text AS version,
         (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS "ttlMs",
         (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::float8 AS "ageMs"
    FROM smtp_shared_state
   WHERE changed_at > $3::timestamptz - $4::interval AND process <> $1 AND expires_at > clock_timestamp()
     AND $2::jsonb IS NOT NULL
   ORDER BY changed_at, kind, key LIMIT ${PAGE}`;

/** The table `smtp_shared_state`. */
export class PostgresSharedStateStore extends SharedStateStore {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  override async exchange(
    process: string,
    entries: readonly SharedEntry[],
    cursor: string | null,
  ): Promise<SharedPage> {
    const overlap = cursor?.startsWith(EXACT) ? '0' : OVERLAP;
    const since = cursor?.replace(EXACT, '') ?? '-infinity';
    const statement = `${entries.length > 0 ? WRITE : ''} ${READ}`;
    const values = [process, JSON.stringify(entries), since, overlap];
    const rows = await this.work.pool.query<SharedPage['entries']>(statement, values);
    const isLast = rows.length < PAGE;
    const latest = rows.at(-1)?.version ?? since;
    return { entries: rows, cursor: isLast ? latest : `${EXACT}${latest}`, isLast };
  }

  override deleteExpired(): Promise<number> {
    const where = "expires_at < now() - interval '1 minute'";
    return purge(this.work, { table: 'smtp_shared_state', where, orderBy: 'expires_at' });
  }
}
