import { Injectable } from '@nestjs/common';
import { copyRows } from '../../../platform/database/copy-rows.js';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { Reason } from '../../../kernel/verdict.js';
import { END, rangesFor, START, type HashRange } from '../domain/hash-range.js';
import { ListRepository, type RowResult } from '../domain/list.repository.js';
import type { ListRow } from '../domain/list-entry.js';
import type { AddressResult, ListedAddress } from '../domain/chunk.js';
import { fromStored, type StoredVerdict } from './stored-verdict.js';

/** Rows that one statement erases. */
const ERASED_AT_ONCE = 5_000;
/** Rows that one statement adds to the index by reason. */
const INDEXED_AT_ONCE = 20_000;
/** Some that one statement sorts, so that it ends in time however long the list is. */
const COUNTED_AT_ONCE = 100_000;
const COUNT_MEMORY = '32MB';

/** What PostgreSQL keeps in no text: NUL, and half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/**
 * Of a list that has just come in the planner knows nothing, and takes it for a single row. So
 * nothing here is left to it: no join whose sides it could turn round, no second index that would do.
 */
const ADDRESSES = `
  SELECT substring(address FROM 9) AS hash, idx AS "firstRow", rows, email FROM (
    SELECT address, idx, email, count(*) OVER (PARTITION BY address)::integer AS rows,
           row_number() OVER (PARTITION BY address ORDER BY idx) AS nth
      FROM bulk_rows WHERE address >= $1 AND address < $2
  ) each WHERE nth = 1 ORDER BY idx`;

/** Of a transaction: where a sort of all that fits looks as cheap as a walk along the index, it walks. */
const BY_INDEX = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

const COUNT = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM bulk_rows WHERE address >= $1 AND address < $2 GROUP BY address
  ) each`;

/**
 * `OFFSET 0` keeps the results where they are: looked up row by row. The rows are numbered without a
 * gap, so that a page is a range.
 */
const RESULTS = `
  SELECT r.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM bulk_rows r LEFT JOIN LATERAL (
      SELECT verdict FROM bulk_results WHERE address = r.address OFFSET 0
    ) s ON true
   WHERE r.list = $1 AND r.idx > $2 AND r.idx <= $2::integer + $3::integer
   ORDER BY r.idx`;

/** Of each reason no more than the page takes; then the first of them all. */
const RESULTS_BY_REASON = `
  SELECT page.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM (
      SELECT found.idx FROM unnest($4::text[]) AS wanted (reason) CROSS JOIN LATERAL (
        SELECT idx FROM bulk_row_reasons
         WHERE list = $1 AND reason = wanted.reason AND idx > $2 ORDER BY idx LIMIT $3
      ) found ORDER BY found.idx LIMIT $3
    ) page
    CROSS JOIN LATERAL (
      SELECT email, sent, ref, address FROM bulk_rows WHERE list = $1 AND idx = page.idx OFFSET 0
    ) r
    CROSS JOIN LATERAL (SELECT verdict FROM bulk_results WHERE address = r.address OFFSET 0) s
   ORDER BY page.idx`;

const SCAN_BY_REASON = `
  SELECT r.idx AS index, r.email, r.sent, r.ref, s.verdict
    FROM bulk_rows r CROSS JOIN LATERAL (
      SELECT reason, verdict FROM bulk_results WHERE address = r.address OFFSET 0
    ) s
   WHERE r.list = $1 AND r.idx > $2 AND r.idx < $5 AND s.reason = ANY($4)
   ORDER BY r.idx LIMIT $3`;

const INDEX = `INSERT INTO bulk_row_reasons (list, idx, reason) SELECT $1, r.idx, result.reason
  FROM unnest($2::bytea[], $3::text[]) AS result (address, reason)`;
/** A range, since the planner takes an equality for half a table where statistics tell of one frequent address. */
const INDEX_ADDRESSES = `
  WITH indexed AS (
    ${INDEX} CROSS JOIN LATERAL (
      SELECT idx FROM bulk_rows WHERE address >= result.address AND address <= result.address OFFSET 0
    ) r RETURNING 1
  ) SELECT count(*)::integer AS count FROM indexed`;
const INDEX_ROWS = `
  WITH indexed AS (
    ${INDEX} JOIN bulk_rows r USING (address) WHERE r.list = $1 AND r.idx >= $4 AND r.idx < $5
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM indexed`;
const LAST_ROW = 'SELECT idx FROM bulk_rows WHERE list = $1 ORDER BY idx DESC LIMIT 1';

const ERASE_RESULTS = `
  WITH erased AS (
    DELETE FROM bulk_results WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_results WHERE address >= $1 AND address < $2 LIMIT ${ERASED_AT_ONCE}))
    RETURNING address, asked
  ) SELECT substring(address FROM 9) AS hash, asked FROM erased`;

const ERASE_REASONS = `
  WITH erased AS (
    DELETE FROM bulk_row_reasons WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_row_reasons WHERE list = $1 LIMIT ${ERASED_AT_ONCE}))
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM erased`;

const ERASE_ROWS = `
  WITH erased AS (
    DELETE FROM bulk_rows WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bulk_rows WHERE list = $1 LIMIT ${ERASED_AT_ONCE}))
    RETURNING 1
  ) SELECT count(*)::integer AS count FROM erased`;

interface StoredRow {
  index: number;
  email: string;
  sent: string | null;
  ref: string | null;
  verdict: StoredVerdict | null;
}

/** SQL throughout: every statement is about thousands of rows of one list. */
@Injectable()
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
        'bulk_rows (list, idx, address, email, sent, ref)',
        rows,
        ({ index, hash, email, ref }) => [
          list,
          index,
          addressOf(list, hash),
          email.replace(UNSTORABLE, '\uFFFD'),
          email.search(UNSTORABLE) === -1 ? null : JSON.stringify(email),
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

  async record(list: string, results: readonly AddressResult[]): Promise<number> {
    if (results.length === 0) return 0;
    const { manager } = this.work;
    const stored = results.map((result) => ({ ...result, address: addressOf(list, result.hash) }));
    await copyRows(
      manager,
      'bulk_results (address, reason, asked, verdict)',
      stored,
      ({ address, verdict, asked }) => [address, verdict.reason, asked, JSON.stringify(verdict)],
    );
    const isSingle = ({ rows, firstRow }: AddressResult) => rows === 1 && firstRow !== null;
    const single = stored.filter(isSingle);
    await copyRows(manager, 'bulk_row_reasons (list, idx, reason)', single, ({ firstRow, verdict }) => [
      list,
      firstRow,
      verdict.reason,
    ]);
    return (
      single.length +
      (await this.indexRows(
        list,
        stored.filter((result) => !isSingle(result)),
      ))
    );
  }

  results(list: string, after: number, limit: number): Promise<RowResult[]> {
    return this.read(RESULTS, [list, after, limit]);
  }

  resultsByReason(
    list: string,
    reasons: readonly Reason[],
    after: number,
    limit: number,
  ): Promise<RowResult[]> {
    return this.work.run(async () => {
      await this.work.manager.query(BY_INDEX);
      return this.read(RESULTS_BY_REASON, [list, after, limit, reasons]);
    });
  }

  scanByReason(
    list: string,
    reasons: readonly Reason[],
    { after, before }: { after: number; before: number },
    limit: number,
  ): Promise<RowResult[]> {
    return this.read(SCAN_BY_REASON, [list, after, limit, reasons, before]);
  }

  async eraseSome(list: string): Promise<Buffer[] | null> {
    const results = await this.work.manager.query<{ hash: Buffer; asked: boolean }[]>(ERASE_RESULTS, [
      addressOf(list, START),
      addressOf(list, END),
    ]);
    if (results.length > 0) return results.filter(({ asked }) => asked).map(({ hash }) => hash);
    for (const statement of [ERASE_REASONS, ERASE_ROWS]) {
      const [erased] = await this.work.manager.query<{ count: number }[]>(statement, [list]);
      if ((erased?.count ?? 0) > 0) return [];
    }
    return null;
  }

  /** Adds the rows of these addresses to the index by reason. @returns the number of rows. */
  private async indexRows(
    list: string,
    results: readonly (AddressResult & { address: Buffer })[],
  ): Promise<number> {
    if (results.length === 0) return 0;
    const { manager } = this.work;
    const values = [
      list,
      results.map(({ address }) => address),
      results.map(({ verdict }) => verdict.reason),
    ];
    const rows = results.reduce((sum, result) => sum + result.rows, 0);
    if (rows <= INDEXED_AT_ONCE) return this.countOf(INDEX_ADDRESSES, values);
    // An address can have most rows of a list. The list is read in parts, so that each statement
    // stays within the statement timeout.
    await manager.query(BY_INDEX);
    const [last] = await manager.query<{ idx: number }[]>(LAST_ROW, [list]);
    let indexed = 0;
    for (let from = 0; from <= (last?.idx ?? -1); from += INDEXED_AT_ONCE)
      indexed += await this.countOf(INDEX_ROWS, [...values, from, from + INDEXED_AT_ONCE]);
    return indexed;
  }

  private async countOf(statement: string, values: unknown[]): Promise<number> {
    const [row] = await this.work.manager.query<{ count: number }[]>(statement, values);
    return row?.count ?? 0;
  }

  private async read(statement: string, values: unknown[]): Promise<RowResult[]> {
    const rows = await this.work.manager.query<StoredRow[]>(statement, values);
    return rows.map(({ index, email, sent, ref, verdict }) => ({
      index,
      email: sent === null ? email : (JSON.parse(sent) as string),
      ref: ref === null ? null : (JSON.parse(ref) as RowResult['ref']),
      verdict: verdict && fromStored(verdict),
    }));
  }
}

/** Eight bytes of the list, as `int8send` has them, then the hash. */
function addressOf(list: string, hash: Buffer): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64BE(BigInt(list));
  return Buffer.concat([prefix, hash]);
}
