import { escapeIdentifier } from 'pg';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { ArchiveRejected } from './archive-rejected.js';
import type { Manifest } from './archive-records.js';

/** The database has data, which a restore never touches. */
export class DatabaseNotEmpty extends Error {}

/** Rcpt's bookkeeping: a database whose other tables have no rows is empty. */
const BOOKKEEPING = ['migrations', 'secret_key_check'];

const TABLES = `
  SELECT t.relname AS name FROM pg_class t
   WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY 1`;

/** @throws ArchiveRejected when this version does not know a migration of the archive. */
export function requireKnownSchema({ migrations, rcpt }: Manifest, known: readonly string[]): void {
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ArchiveRejected(
    'newer_schema',
    `The archive is of Rcpt ${rcpt}, whose database this version cannot read (${unknown}): install Rcpt ${rcpt} or later.`,
  );
}

/**
 * Makes the schema of the archive, inside the transaction of the runner.
 *
 * @throws DatabaseNotEmpty
 */
export async function makeSchema(
  own: DataSource,
  runner: QueryRunner,
  { migrations }: Manifest,
): Promise<void> {
  const executor = new MigrationExecutor(own, withoutConcurrently(runner));
  executor.transaction = 'none';
  const tables = ((await runner.query(TABLES)) as { name: string }[]).map(({ name }) => name);
  if (tables.length > 0) {
    await requireEmpty(runner, tables);
    // The schema of an empty database may be another revision than that of the archive.
    while ((await executor.getExecutedMigrations()).length > 0) await executor.undoLastMigration();
  }
  for (const migration of await executor.getPendingMigrations())
    if (migrations.includes(migration.name)) await executor.executeMigration(migration);
}

async function requireEmpty(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  if (!tables.includes('migrations')) throw notEmpty(`it has the table ${tables[0]}, which is not of Rcpt`);
  await runner.query(
    `LOCK TABLE ${tables.map((name) => escapeIdentifier(name)).join(', ')} IN ACCESS EXCLUSIVE MODE`,
  );
  for (const name of tables.filter((table) => !BOOKKEEPING.includes(table))) {
    const [found] = (await runner.query(`SELECT EXISTS (SELECT FROM ${escapeIdentifier(name)}) AS used`)) as {
      used: boolean;
    }[];
    if (found?.used === true) throw notEmpty(`its table ${name} has rows`);
  }
}

function notEmpty(why: string): DatabaseNotEmpty {
  return new DatabaseNotEmpty(
    `The database is not empty (${why}), and nothing was changed. Restore into a new database: ` +
      'create one and name it in DATABASE_URL, or for the embedded one set DATA_DIR to a new directory.',
  );
}

/** An index cannot be created concurrently in a transaction, and nobody else uses an empty table. */
function withoutConcurrently(runner: QueryRunner): QueryRunner {
  const query: QueryRunner['query'] = (text: string, ...more: []) =>
    runner.query(text.replace(/\bCONCURRENTLY\b/g, ''), ...more);
  return Object.create(runner, { query: { value: query } }) as QueryRunner;
}
