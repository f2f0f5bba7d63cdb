import { Client } from 'pg';
import { randomBytes } from 'node:crypto';

/** Name of the template database (`original-database.ts`). */
export const ORIGINAL = 'migrated';

interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A new migrated database without rows. */
export function aFreshDatabase(): Promise<TestDatabase> {
  return aDatabase(`TEMPLATE ${ORIGINAL} STRATEGY FILE_COPY`);
}

/** A new database with the contents of another one, to which nothing is connected. */
export function aCopyOf(url: string): Promise<TestDatabase> {
  return aDatabase(`TEMPLATE ${new URL(url).pathname.slice(1)} STRATEGY FILE_COPY`);
}

/** A new database without tables. */
export function anEmptyDatabase(): Promise<TestDatabase> {
  return aDatabase('');
}

async function aDatabase(made: string): Promise<TestDatabase> {
  const server = process.env.RCPT_TEST_DATABASE;
  if (server === undefined) throw new Error('The test database was not started (jest globalSetup)');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} ${made}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // The service's role may not end a process of autovacuum.
  const drop = () => asAdministrator(server, `DROP DATABASE ${name} WITH (FORCE)`);
  return { url: url.href, drop };
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** What only a superuser may do in a database of a test. */
export async function asAdministrator(database: string, statement: string): Promise<void> {
  const url = new URL(process.env.RCPT_TEST_ADMINISTRATOR ?? '');
  url.pathname = new URL(database).pathname;
  await onServer(url.href, statement);
}
