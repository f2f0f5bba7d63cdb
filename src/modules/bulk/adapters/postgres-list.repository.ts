import { Injectable } from '@nestjs/common';
import { copyRows, HexBytes } from '../../../platform/database/copy-rows.js';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { Reason } from '../../../kernel/verdict.js';
import {
  DOMAIN_BYTES,
  END,
  rangesFor,
  START,
  type AddressGroup,
  type HashRange,
} from '../domain/hash-range.js';
import { ListRepository, type RowResult } from '../domain/list.repository.js';
import type { ListRow } from '../domain/list-entry.js';
import type { AddressResult, ListedAddress } from '../domain/chunk.js';
import {
  ERASE_REASONS,
  ERASE_RESULTS,
  ERASE_ROWS,
  RESULTS,
  RESULTS_BY_REASON,
  SCAN_BY_REASON,
} from './list-statements.js';
import { fromStored, toStored } from './stored-verdict.js';

/** Rows that one statement adds to the index by reason. */
const INDEXED_AT_ONCE = 20_000;
/** Rows that one statement counts, so that it stays within the statement timeout for lists of any length. */
const COUNTED_AT_ONCE = 100_000;
const COUNT_MEMORY = '32MB';
/** A domain is counted by one statement, also when it has a million addresses. */
const COUNT_TIMEOUT = '60s';

/** Characters that PostgreSQL cannot store in a text: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/**
 * The planner has no statistics for a new list and estimates one row. The statement therefore has only
 * one plan that is worth considering: no join, and a condition that only one index supports.
 */
const ADDRESSES = `
  SELECT substring(address FROM 9) AS hash, idx AS "firstRow", rows, email FROM (
    SELECT address, idx, email, count(*) OVER (PARTITION BY address)::integer AS rows,
           row_number() OVER (PARTITION BY address ORDER BY idx) AS nth
      FROM bulk_rows WHERE address >= $1 AND address < $2
  ) each WHERE nth = 1 ORDER BY idx`;

/**
 * For the transaction: index scans only. Without statistics, the planner may prefer to read and sort all
 * matching rows, although an index returns the first ones in order.
 */
const BY_INDEX = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** $3: more addresses than that are a group of their own. Hexadecimal text, since bytea has no minimum. */
const GROUPS = `
  WITH domains AS (
    SELECT substring(address FROM 9 FOR ${DOMAIN_BYTES}) AS domain, count(*)::integer AS addresses
      FROM (
        SELECT address FROM bulk_rows WHERE address >= $1 AND address < $2 GROUP BY address
      ) each GROUP BY 1
  ), placed AS (
    SELECT *, sum(addresses) OVER (ORDER BY domain) - addresses AS before FROM domains
  )
  SELECT min(encode(domain, 'hex') COLLATE "C") AS "from", sum(addresses)::integer AS addresses
    FROM placed GROUP BY div(before, $3), CASE WHEN addresses > $3 THEN domain END ORDER BY 1`;

const INDEX = `INSERT INTO bulk_row_reasons (list, idx, reason) SELECT $1, r.idx, result.reason
  FROM unnest($2::bytea[], $3::text[]) AS result (address, reason)`;
/**
 * A range instead of an equality: if the statistics contain one frequent address, the planner expects a
 * large part of the table for any equality, and reads the whole table.
 */
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

interface StoredRow {
  index: number;
  email: string;
  sent: string | null;
  ref: string | null;
  verdict: unknown;
}

/** SQL, because each statement reads or writes thousands of rows of a list. */
@Injectable()
export class PostgresListRepository extends ListRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  stage(list: string, rows: readonly ListRow[]): Promise<void> {
    return this.work.run(async () => {
      // Asynchronous commit: the later commit that queues the job is synchronous, and flushes these
      // rows too.
      await this.work.manager.query('SET LOCAL synchronous_commit = off');
      const prefix = prefixOf(list).toString('hex');
      await copyRows(
        this.work.manager,
        'bulk_rows (list, idx, address, email, sent, ref)',
        rows,
        ({ index, hash, email, ref }) => {
          const isStorable = email.search(UNSTORABLE) === -1;
          return [
            list,
            index,
            new HexBytes(prefix + hash),
            isStorable ? email : email.replace(UNSTORABLE, '\uFFFD'),
            isStorable ? null : JSON.stringify(email),
            ref === null ? null : JSON.stringify(ref),
          ];
        },
      );
    });
  }

  groupAddresses(list: string, total: number, perGroup: number): Promise<AddressGroup[]> {
    return this.work.run(async () => {
      await this.work.manager.query(`SET LOCAL work_mem = '${COUNT_MEMORY}'`);
      await this.work.manager.query(`SET LOCAL statement_timeout = '${COUNT_TIMEOUT}'`);
      const groups: AddressGroup[] = [];
      for (const { from, to } of rangesFor(total, COUNTED_AT_ONCE)) {
        const range = [addressOf(list, from), addressOf(list, to), perGroup];
        const found = await this.work.manager.query<{ from: string; addresses: number }[]>(GROUPS, range);
        for (const group of found) groups.push({ ...group, from: Buffer.from(group.from, 'hex') });
      }
      return groups;
    });
  }

  addresses(list: string, { from, to }: HashRange): Promise<ListedAddress[]> {
    return this.work.manager.query<ListedAddress[]>(ADDRESSES, [addressOf(list, from), addressOf(list, to)]);
  }

  async record(list: string, results: readonly AddressResult[]): Promise<number> {
    if (results.length === 0) return 0;
    const { manager } = this.work;
    const prefix = prefixOf(list).toString('hex');
    await copyRows(
      manager,
      'bulk_results (address, reason, asked, verdict)',
      results,
      ({ hash, verdict, asked }) => [
        new HexBytes(prefix + hash.toString('hex')),
        verdict.reason,
        asked,
        toStored(verdict),
      ],
    );
    const isSingle = ({ rows, firstRow }: AddressResult) => rows === 1 && firstRow !== null;
    const single = results.filter(isSingle);
    await copyRows(manager, 'bulk_row_reasons (list, idx, reason)', single, ({ firstRow, verdict }) => [
      list,
      firstRow,
      verdict.reason,
    ]);
    const others = results.filter((result) => !isSingle(result));
    return single.length + (await this.indexRows(list, others));
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
  private async indexRows(list: string, results: readonly AddressResult[]): Promise<number> {
    if (results.length === 0) return 0;
    const { manager } = this.work;
    const values = [
      list,
      results.map(({ hash }) => addressOf(list, hash)),
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
      verdict: verdict === null ? null : fromStored(verdict),
    }));
  }
}

/** The eight bytes of a list with which its address keys begin in storage; as `int8send` has them. */
function prefixOf(list: string): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64BE(BigInt(list));
  return prefix;
}

function addressOf(list: string, key: Buffer): Buffer {
  return Buffer.concat([prefixOf(list), key]);
}
