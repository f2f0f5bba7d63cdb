import { copyRows } from '../../../platform/database/copy-rows.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { STATUS_OF, type Reason } from '../../../kernel/verdict.js';
import { END, rangesFor, START, type HashRange } from '../domain/hash-range.js';
import { ListRepository, type ResultFilter, type RowResult } from '../domain/list.repository.js';
import type { ListRow } from '../domain/list-entry.js';
import type { AddressResult, ListedAddress } from '../domain/part.js';
import { fromStored, type StoredVerdict } from './stored-verdict.js';

/** Rows that one statement erases. */
const ERASED_AT_ONCE = 5_000;
/** Some that one statement sorts, so that it ends in time however long the list is. */
const COUNTED_AT_ONCE = 100_000;
const COUNT_MEMORY = '32MB';

/**
 * Of a list that has just come in the planner knows nothing, and takes it for a single row. So
 * nothing here is left to it: no join whose sides it could turn round, no second index that would do.
 */
const ADDRESSES = `
  SELECT substring(address FROM 9) AS hash, rows, email FROM (
    SELECT address, idx, email, count(*) OVER (PARTITION BY address)::integer AS rows,
           row_number() OVER (PARTITION BY address ORDER BY idx) AS nth
      FROM bulk_rows WHERE address >= $1 AND address < $2
  ) each WHERE nth = 1 ORDER BY idx`;

const COUNT = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM bulk_rows WHERE address >= $1 AND address < $2 GROUP BY address
  ) each`;

/** `OFFSET 0` keeps the results where they are: looked up row by row. */
const RESULTS = `
  SELECT r.idx AS index, r.email, r.ref, s.verdict
    FROM bulk_rows r LEFT JOIN LATERAL (
      SELECT reason, verdict FROM bulk_results WHERE address = r.address OFFSET 0
    ) s ON true
   WHERE r.list = $1 AND r.idx > $2 AND ($4::text[] IS NULL OR s.reason = ANY($4))
   ORDER BY r.idx LIMIT $3`;

const ERASE_RESULTS = `
  WITH erased AS (
    DELETE FROM bulk_results WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_results WHERE address >= $1 AND address < $2 LIMIT ${ERASED_AT_ONCE}))
    RETURNING address, asked
  ) SELECT substring(address FROM 9) AS hash, asked FROM erased`;

const ERASE_ROWS = `
  WITH erased AS (
    DELETE FROM bulk_rows WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_rows WHERE list = $1 LIMIT ${ERASED_AT_ONCE}))
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM erased`;

interface StoredRow {
  index: number;
  email: string;
  ref: string | null;
  verdict: StoredVerdict | null;
}

export class PostgresListRepository extends ListRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  stage(list: string, rows: readonly ListRow[]): Promise<void> {
    return this.work.run(async () => {
      // Not waited for on disk: the commit that makes the list a job is, and with it all before it.
      await this.work.manager.query('SET LOCAL synchronous_commit = off');
      await copyRows(
        this.work.manager,
        'bulk_rows (list, idx, address, email, ref)',
        rows,
        ({ index, hash, email, ref }) => [
          list,
          index,
          addressOf(list, hash),
          email,
          ref === null ? null : JSON.stringify(ref),
        ],
      );
    });
  }

  countAddresses(list: string, total: number): Promise<number> {
    return this.work.run(async () => {
      await this.work.manager.query(`SET LOCAL work_mem = '${COUNT_MEMORY}'`);
      let addresses = 0;
      for (const { from, to } of rangesFor(total, COUNTED_AT_ONCE)) {
        const [row] = await this.work.manager.query<{ count: number }[]>(COUNT, [
          addressOf(list, from),
          addressOf(list, to),
        ]);
        addresses += row?.count ?? 0;
      }
      return addresses;
    });
  }

  addresses(list: string, { from, to }: HashRange): Promise<ListedAddress[]> {
    return this.work.manager.query<ListedAddress[]>(ADDRESSES, [addressOf(list, from), addressOf(list, to)]);
  }

  record(list: string, results: readonly AddressResult[]): Promise<void> {
    return copyRows(
      this.work.manager,
      'bulk_results (address, reason, asked, verdict)',
      results,
      ({ hash, verdict, asked }) => [addressOf(list, hash), verdict.reason, asked, JSON.stringify(verdict)],
    );
  }

  async results(list: string, after: number, limit: number, filter: ResultFilter): Promise<RowResult[]> {
    const rows = await this.work.manager.query<StoredRow[]>(RESULTS, [list, after, limit, reasonsOf(filter)]);
    return rows.map(({ ref, verdict, ...row }) => ({
      ...row,
      ref: ref === null ? null : (JSON.parse(ref) as RowResult['ref']),
      verdict: verdict && fromStored(verdict),
    }));
  }

  async eraseSome(list: string): Promise<Buffer[] | null> {
    const results = await this.work.manager.query<{ hash: Buffer; asked: boolean }[]>(ERASE_RESULTS, [
      addressOf(list, START),
      addressOf(list, END),
    ]);
    if (results.length > 0) return results.filter(({ asked }) => asked).map(({ hash }) => hash);
    const [rows] = await this.work.manager.query<{ count: number }[]>(ERASE_ROWS, [list]);
    return (rows?.count ?? 0) > 0 ? [] : null;
  }
}

/** Eight bytes of the list, as `int8send` has them, then the hash. */
function addressOf(list: string, hash: Buffer): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64BE(BigInt(list));
  return Buffer.concat([prefix, hash]);
}

/** null: any. */
function reasonsOf({ status, reason }: ResultFilter): Reason[] | null {
  if (status === undefined && reason === undefined) return null;
  const all = Object.keys(STATUS_OF) as Reason[];
  return all.filter(
    (each) => (reason ?? each) === each && (status === undefined || STATUS_OF[each] === status),
  );
}
