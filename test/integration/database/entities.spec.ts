import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { aFreshDatabase, anEmptyDatabase } from '../../support/database/fresh-database.js';

/** TypeORM's own table. BullMQ's are in a separate schema. */
const NOT_OURS = 'migrations';

/**
 * TypeORM compares checks and partial indices by name only; these queries return PostgreSQL's
 * definitions.
 */
const CONSTRAINTS = `
  SELECT conrelid::regclass || ' ' || CASE contype WHEN 'p' THEN '' ELSE conname END || ' '
         || pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
   WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> coalesce(to_regclass($1), 0)`;

/** Without the column order, which an EntitySchema cannot express. */
const INDICES = `
  SELECT replace(pg_get_indexdef(indexrelid), ' DESC', '') AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
   WHERE relnamespace = 'public'::regnamespace AND NOT indisprimary AND indrelid <> coalesce(to_regclass($1), 0)
     AND NOT relname = ANY ($2)`;

async function definitions(database: DataSource, query: string, ...values: unknown[]): Promise<string[]> {
  const rows = await database.query<{ definition: string }[]>(query, values);
  return rows.map(({ definition }) => definition).sort();
}

describe('migrations and entities agree', () => {
  const databases: { url: string; drop(): Promise<void> }[] = [];
  let migrated: DataSource;
  let made: DataSource;

  beforeAll(async () => {
    databases.push(await aFreshDatabase(), await anEmptyDatabase());
    const [first, second] = databases.map(({ url }) => createDataSource(url, SCHEMAS, 2));
    migrated = await first!.initialize();
    made = await second!.initialize();
    await made.synchronize();
  });

  afterAll(async () => {
    await Promise.all([migrated.destroy(), made.destroy()]);
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('every table has an entity', async () => {
    const tables = await definitions(
      migrated,
      'SELECT tablename AS definition FROM pg_tables WHERE schemaname = current_schema() AND tablename <> $1',
      NOT_OURS,
    );
    expect(tables.length).toBeGreaterThan(20);
    expect(migrated.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(tables);
  });

  it('TypeORM finds nothing to change in a database that was migrated', async () => {
    const { upQueries } = await migrated.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('keys and checks are those of the entities', async () => {
    const ofEntities = await definitions(made, CONSTRAINTS, NOT_OURS);
    expect(await definitions(migrated, CONSTRAINTS, NOT_OURS)).toEqual(ofEntities);
  });

  it('indices are unique and partial as the entities say', async () => {
    const left = migrated.entityMetadatas
      .flatMap(({ indices }) => indices.filter(({ synchronize }) => !synchronize))
      .map(({ name }) => name);
    const ofEntities = await definitions(made, INDICES, NOT_OURS, left);
    expect(await definitions(migrated, INDICES, NOT_OURS, left)).toEqual(ofEntities);
  });
});
