import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { tableOwners } from '../../support/architecture/table-owners.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';

/** TypeORM's own table. BullMQ's are in a separate schema. */
const NOT_OURS = 'migrations';

const COLUMNS = `
  SELECT attname || ' ' || format_type(atttypid, NULL) || CASE WHEN attnotnull THEN '' ELSE ' or null' END AS column
    FROM pg_attribute
   WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
   ORDER BY attname`;

const KEY = `
  SELECT attname AS column
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
   WHERE indrelid = $1::regclass AND indisprimary
   ORDER BY attname`;

describe('migrations and entities agree', () => {
  let database: { url: string; drop(): Promise<void> };
  let source: DataSource;

  beforeAll(async () => {
    database = await aFreshDatabase();
    source = await createDataSource(database.url, SCHEMAS, 2).initialize();
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('every table is in a migration of its owner', async () => {
    const tables = await source.query<{ name: string }[]>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> $1 ORDER BY 1',
      [NOT_OURS],
    );
    expect(tables.length).toBeGreaterThan(20);
    expect([...(await tableOwners()).keys()].sort()).toEqual(tables.map(({ name }) => name));
  });

  it.each(SCHEMAS.map(({ options }) => [options.tableName ?? '']))(
    'the columns of %s have the names, types and nulls of the entity',
    async (table) => {
      const { columns, primaryColumns } = source.entityMetadatas.find(
        (entity) => entity.tableName === table,
      )!;
      const ofEntity = columns.map((column) => {
        const type = source.driver.normalizeType(column);
        return `${column.databaseName} ${type}${column.isArray ? '[]' : ''}${column.isNullable ? ' or null' : ''}`;
      });
      expect(await columnsIn(COLUMNS, table)).toEqual(ofEntity.sort());
      const key = primaryColumns.map(({ databaseName }) => databaseName);
      expect(await columnsIn(KEY, table)).toEqual(key.sort());
    },
  );

  async function columnsIn(query: string, table: string): Promise<string[]> {
    const rows = await source.query<{ column: string }[]>(query, [table]);
    return rows.map(({ column }) => column).sort();
  }
});
