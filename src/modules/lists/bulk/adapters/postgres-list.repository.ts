import { Injectable } from '@nestjs/common';
import type { ListId } from '../../../../kernel/ids.js';
import { copyRows, HexBytes } from '../../../../platform/database/transactions/copy-rows.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import {
  END,
  rangesFor,
  START,
  DOMAIN_BYTES,
  type AddressGroup,
  type ChunkKeys,
  type HashRange,
} from '../domain/hash-range.js';
import {
  ListRepository,
  type AddressResult,
  type KeyedList,
  type ListedAddress,
  type ResultRows,
  type RowFilter,
} from '../domain/list.repository.js';
import type { ResultRoom } from '../domain/result-room.js';
import type { ListRow } from '../domain/list-row.js';
import type { BreakdownBy, GroupRows } from '../domain/breakdown.js';
import { addressOf, prefixOf } from './list-keys.js';
import {
  ADDRESSES,
  ADDRESSES_OF_DOMAINS,
  BY_INDEX,
  CHANGE_KEYS,
  containing,
  DELETE_ADDRESSES,
  DELETE_RESULTS,
  deleteRows,
  DOMAIN_ROWS,
  GROUPS,
  IS_FIRST,
  PROVIDER_ROWS,
  RESULTS,
  RESULTS_BY_REASON,
  search,
  searchByReason,
  WITH_RESULT,
} from './list-statements.js';
import { toPage, type FoundRow } from './found-rows.js';
import { toStored } from './stored-verdict.js';
import { append } from '../../../../kernel/long-lists.js';

/** Rows that one statement adds to the index by reason. */
const INDEXED_AT_ONCE = 20_000;
/** Rows that one statement counts, so that it stays within the statement timeout for lists of any length. */
const COUNTED_AT_ONCE = 100_000;
const COUNT_MEMORY = '32MB';

/** Characters that PostgreSQL cannot store in a text: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

const INDEX = `INSERT INTO bulk_row_reasons (list, idx, reason) SELECT $1, r.idx, result.reason
  FROM unnest($2::bytea[], $3::text[]) AS result (address_key, reason)`;
/**
 * A range instead of an equality: if the statistics contain one frequent address, the planner expects a
 * large part of the table for any equality, and reads the whole table.
 */
const INDEX_ADDRESSES = `${INDEX} CROSS JOIN LATERAL (
  SELECT idx FROM bulk_rows WHERE address_key >= result.address_key AND address_key <= result.address_key OFFSET 0
) r`;
const INDEX_ROWS = `${INDEX} JOIN bulk_rows r USING (address_key)
 WHERE r.list = $1 AND r.idx >= $4 AND r.idx < $5`;
const LAST_ROW = 'SELECT idx FROM bulk_rows WHERE list = $1 ORDER BY idx DESC LIMIT 1';

interface DeletedResult {
  addressHash: Buffer;
  email: string | null;
  probed: boolean;
}

/** SQL, because each statement reads or writes thousands of rows of a list. */
@Injectable()
export class PostgresListRepository extends ListRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  addRows(listId: ListId, rows: readonly ListRow[]): Promise<void> {
    return this.work.run(async () => {
      // Asynchronous commit: the later commit that queues the job is synchronous, and flushes these
      // rows too.
      await this.work.manager.query('SET LOCAL synchronous_commit = off');
      const prefix = prefixOf(listId).toString('hex');
      await copyRows(
        this.work.manager,
        'bulk_rows (list, idx, address_key, email, sent, ref)',
        rows,
        ({ index, addressKey, email, ref }) => {
          const isStorable = email.search(UNSTORABLE) === -1;
          return [
            listId,
            index,
            addressKey === null ? null : new HexBytes(prefix + addressKey),
            isStorable ? email : email.replace(UNSTORABLE, '\uFFFD'),
            isStorable ? null : JSON.stringify(email),
            ref === null ? null : JSON.stringify(ref),
          ];
        },
      );
    });
  }

  async changeKeys(listId: ListId, rows: readonly { index: number; addressKey: string }[]): Promise<void> {
    if (rows.length === 0) return;
    const keys = rows.map(({ addressKey }) => addressOf(listId, Buffer.from(addressKey, 'hex')));
    await this.work.manager.query(CHANGE_KEYS, [listId, rows.map(({ index }) => index), keys]);
  }

  countAddresses(
    listId: ListId,
    total: number,
    perGroup: number,
    providers: ReadonlyMap<string, string>,
  ): Promise<AddressGroup[]> {
    return this.work.run(async () => {
      await this.work.manager.query(`SET LOCAL work_mem = '${COUNT_MEMORY}'`);
      const groups: AddressGroup[] = [];
      const known = [[...providers.keys()], [...providers.values()]];
      for (const { from, to } of rangesFor(total, COUNTED_AT_ONCE)) {
        const values = [addressOf(listId, from), addressOf(listId, to), perGroup, ...known];
        for (const group of await this.work.manager.query<AddressGroup[]>(GROUPS, values)) groups.push(group);
      }
      return groups;
    });
  }

  listAddresses(listId: ListId, keys: HashRange | ChunkKeys): Promise<ListedAddress[]> {
    const domains = 'domains' in keys ? keys.domains : null;
    if (domains !== null)
      return this.byIndex<ListedAddress>(ADDRESSES_OF_DOMAINS, [keysOf(listId, domains), END]);
    const range = [addressOf(listId, keys.from), addressOf(listId, keys.to)];
    return this.work.manager.query<ListedAddress[]>(ADDRESSES, range);
  }

  async listWithoutResult(listId: ListId, addresses: readonly ListedAddress[]): Promise<ListedAddress[]> {
    const keys = addresses.map(({ addressKey }) => addressOf(listId, addressKey));
    const found = await this.work.manager.query<{ n: number }[]>(WITH_RESULT, [keys]);
    const positions = new Set(found.map(({ n }) => n));
    return addresses.filter((_, n) => !positions.has(n));
  }

  async addResults({ listId, uniqueBy }: KeyedList, results: readonly AddressResult[]): Promise<void> {
    if (results.length === 0) return;
    const { manager } = this.work;
    const prefix = prefixOf(listId).toString('hex');
    await copyRows(
      manager,
      'bulk_results (address_key, reason, probed, verdict, first_row)',
      results,
      ({ addressKey, verdict, probed, rows, firstRow }) => [
        new HexBytes(prefix + addressKey.toString('hex')),
        verdict.reason,
        probed,
        toStored(verdict),
        uniqueBy === 'canonical' && rows > 1 ? firstRow : null,
      ],
    );
    const isSingle = ({ rows, firstRow }: AddressResult) => rows === 1 && firstRow !== null;
    const single = results.filter(isSingle);
    await copyRows(manager, 'bulk_row_reasons (list, idx, reason)', single, ({ firstRow, verdict }) => [
      listId,
      firstRow,
      verdict.reason,
    ]);
    await this.indexRows(
      listId,
      results.filter((result) => !isSingle(result)),
    );
  }

  async listResults(
    listId: ListId,
    { reasons, text, isDistinct }: RowFilter,
    after: number,
    { rows: limit, bytes, bytesPerRow }: ResultRoom,
  ): Promise<ResultRows> {
    // One row more shows whether others follow.
    const page: unknown[] = [listId, after, limit + 1, bytes, bytesPerRow];
    if (reasons !== null) page.push(reasons);
    const conditions: string[] = [];
    if (text !== null) conditions.push(containing(`$${page.push(`%${text.replace(/[\\%_]/g, '\\$&')}%`)}`));
    if (isDistinct) conditions.push(IS_FIRST);
    if (conditions.length > 0) {
      const statement = reasons === null ? search(conditions) : searchByReason(conditions);
      return toPage(await this.byIndex<FoundRow>(statement, page), limit);
    }
    if (reasons !== null) return toPage(await this.byIndex<FoundRow>(RESULTS_BY_REASON, page), limit);
    return toPage(await this.work.manager.query<FoundRow[]>(RESULTS, page), limit);
  }

  countGroups(listId: ListId, by: BreakdownBy, total: number): Promise<GroupRows[]> {
    return this.work.run(async () => {
      await this.work.manager.query(`SET LOCAL work_mem = '${COUNT_MEMORY}'`);
      if (by === 'domain') return this.byIndex<GroupRows>(DOMAIN_ROWS, [listId]);
      const counts: GroupRows[] = [];
      for (let from = 0; from < total; from += COUNTED_AT_ONCE)
        append(counts, await this.byIndex<GroupRows>(PROVIDER_ROWS, [listId, from, from + COUNTED_AT_ONCE]));
      return counts;
    });
  }

  async deleteSome({ listId, uniqueBy }: KeyedList): Promise<(Buffer | string)[] | null> {
    const { manager } = this.work;
    const values = [addressOf(listId, START), addressOf(listId, END), uniqueBy === 'canonical'];
    const results = await manager.query<DeletedResult[]>(DELETE_RESULTS, values);
    if (results.length > 0)
      return results.filter(({ probed }) => probed).map(({ addressHash, email }) => email ?? addressHash);
    for (const table of ['bulk_row_reasons', 'bulk_rows'] as const) {
      const [, count] = await manager.query<[unknown, number]>(deleteRows(table), [listId]);
      if (count > 0) return [];
    }
    return null;
  }

  async listHolding(listIds: readonly ListId[], addressKey: Buffer): Promise<ListId[]> {
    const rows = await this.work.manager.query<{ listId: ListId }[]>(
      'SELECT DISTINCT list AS "listId" FROM bulk_rows WHERE address_key = ANY ($1::bytea[])',
      [listIds.map((listId) => addressOf(listId, addressKey))],
    );
    return rows.map(({ listId }) => listId);
  }

  deleteAddress(listIds: readonly ListId[], addressKey: Buffer): Promise<number> {
    const addresses = listIds.map((listId) => addressOf(listId, addressKey));
    return this.work.run(async () => {
      let count = 0;
      for (const statement of DELETE_ADDRESSES)
        [, count] = await this.work.manager.query<[unknown, number]>(statement, [addresses]);
      return count;
    });
  }

  /** Adds the rows of these addresses to the index by reason. */
  private async indexRows(listId: ListId, results: readonly AddressResult[]): Promise<void> {
    if (results.length === 0) return;
    const { manager } = this.work;
    const values = [
      listId,
      results.map(({ addressKey }) => addressOf(listId, addressKey)),
      results.map(({ verdict }) => verdict.reason),
    ];
    const rows = results.reduce((sum, result) => sum + result.rows, 0);
    if (rows <= INDEXED_AT_ONCE) {
      await manager.query(INDEX_ADDRESSES, values);
      return;
    }
    // An address can have most rows of a list. The list is read in parts, so that each statement
    // stays within the statement timeout.
    await manager.query(BY_INDEX);
    const [last] = await manager.query<{ idx: number }[]>(LAST_ROW, [listId]);
    for (let from = 0; from <= (last?.idx ?? -1); from += INDEXED_AT_ONCE)
      await manager.query(INDEX_ROWS, [...values, from, from + INDEXED_AT_ONCE]);
  }

  private byIndex<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    return this.work.run(async () => {
      await this.work.manager.query(BY_INDEX);
      return this.work.manager.query<Row[]>(statement, values);
    });
  }
}

/** The first bytes of the addresses of each domain. */
function keysOf(listId: ListId, domains: Buffer): Buffer[] {
  const count = domains.length / DOMAIN_BYTES;
  return Array.from({ length: count }, (_, n) =>
    addressOf(listId, domains.subarray(n * DOMAIN_BYTES, (n + 1) * DOMAIN_BYTES)),
  );
}
