import { escapeIdentifier } from 'pg';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../migrations.js';
import { findArchivedTables, qualified, type ArchivedTables } from './archived-tables.js';
import { ArchiveRejected, damaged } from './archive-rejected.js';
import type { ArchiveEnd, Manifest } from './archive-format.js';

/** The database has data, which a restore never touches. */
export class DatabaseNotEmpty extends Error {}

/** Rcpt's bookkeeping: a database whose other tables have no rows is empty. */
const BOOKKEEPING = ['migrations', 'secret_key_check'];

const TABLES = `
  SELECT t.relname AS name FROM pg_class t
   WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY 1`;

/** @throws ArchiveRejected when this version does not know a migration of the archive, or it lacks one. */
export function requireKnownSchema({ migrations, rcpt }: Manifest): void {
  const known = MIGRATIONS.map(({ name }) => name);
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArchiveRejected(
      'newer_schema',
      `The archive is of Rcpt ${rcpt}, whose database this version cannot read (${unknown}): install Rcpt ${rcpt} or later.`,
    );
  // Migrations run in their order: those of a database are the first ones.
  if (migrations.some((name, place) => name !== known[place])) throw damaged('it lacks migrations');
}

/** The schema that migrations of Rcpt make in an empty database, inside the transaction of the runner. */
export class RestoreTarget {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly executor: MigrationExecutor,
    private readonly found: ArchivedTables,
  ) {}

  /** Makes the schema of the archive. @throws DatabaseNotEmpty */
  static async make(own: DataSource, runner: QueryRunner, { migrations }: Manifest): Promise<RestoreTarget> {
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
    const found = await findArchivedTables(runner, (name) => name === 'migrations');
    return new RestoreTarget(runner, executor, found);
  }

  get schema(): string {
    return this.found.schema;
  }

  /** @throws ArchiveRejected for a table or column that the migrations have not made. */
  requireOwn({ tables }: Manifest): void {
    const own = new Map(this.found.tables.map(({ name, columns }) => [name, new Set(columns)]));
    for (const { name, columns } of tables) {
      const ownColumns = own.get(name);
      if (ownColumns === undefined) throw damaged(`${name} is not a table of Rcpt`);
      const other = columns.find((column) => !ownColumns.has(column));
      if (other !== undefined) throw damaged(`${name} has no column ${other} in Rcpt`);
    }
    if (!own.has('secret_key_check')) throw damaged('it lacks migrations');
  }

  /** @throws ArchiveRejected for a sequence that the migrations have not made. */
  async setSequences({ sequences }: ArchiveEnd): Promise<void> {
    const own = new Set(this.found.sequences);
    for (const { name, last_value: value, is_called: isCalled } of sequences) {
      if (!own.has(name)) throw damaged(`${name} is not a sequence of Rcpt`);
      const sequence = qualified(this.schema, name);
      await this.runner.query('SELECT setval($1::regclass, $2, $3)', [sequence, value, isCalled]);
    }
  }

  /** Runs the migrations that the archive lacks. */
  async migrate(): Promise<void> {
    for (const migration of await this.executor.getPendingMigrations())
      await this.executor.executeMigration(migration);
  }
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
