import { createHmac } from 'node:crypto';
import { Client, type DatabaseError } from 'pg';

/**
 * The service and its commands use an ordinary role, which owns their database and nothing else. The superuser makes
 * the cluster and the database only: whatever reaches SQL by a mistake can neither run a program of the machine nor
 * read its files.
 */
export const ROLE = 'rcpt';

const ALREADY_CREATED = ['42P04', '42710', '23505'];
const HAND_OVER_LOCK = 0x72637075;

/** Base64url needs no escaping in a URL or a statement. */
export function passwordOfRole(password: string): string {
  return createHmac('sha256', password).update(`role ${ROLE}`).digest('base64url');
}

/** Versions before 0.3.0 had no role: what the superuser owns in the database belongs to the role then. */
const OBJECTS = `
  SELECT format('ALTER SCHEMA %I', nspname) AS change
    FROM pg_namespace n WHERE nspowner = current_user::regrole AND ${ofRcpt('n', 'pg_namespace', 'nspname')}
   UNION ALL
  SELECT format('ALTER %s %I.%I', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, nspname, relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
   WHERE relowner = current_user::regrole AND relkind IN ('r', 'p', 'S', 'v', 'm') AND ${ofRcpt('c', 'pg_class', 'nspname')}
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND relkind = 'S' AND d.deptype IN ('a', 'i'))
   UNION ALL
  SELECT format('ALTER ROUTINE %I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
   WHERE proowner = current_user::regrole AND ${ofRcpt('p', 'pg_proc', 'nspname')}
   UNION ALL
  SELECT format('ALTER TYPE %I.%I', nspname, typname)
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
   WHERE typowner = current_user::regrole AND typtype IN ('e', 'd', 'r') AND ${ofRcpt('t', 'pg_type', 'nspname')}`;

/** Neither of the system nor of an extension. */
function ofRcpt(alias: string, catalog: string, schema: string): string {
  return `${schema} !~ '^pg_' AND ${schema} <> 'information_schema' AND NOT EXISTS (
    SELECT FROM pg_depend e WHERE e.classid = '${catalog}'::regclass AND e.objid = ${alias}.oid AND e.deptype = 'e')`;
}

/**
 * Creates the role and its database, and hands over a database that an earlier version has made.
 *
 * @param client of the superuser.
 * @param url of the database, for the superuser.
 */
export async function createDatabase(
  client: Client,
  { name, url, password }: { name: string; url: string; password: string },
): Promise<void> {
  await createOnce(client, `create role ${ROLE} login password '${passwordOfRole(password)}'`);
  await createOnce(client, `create database ${name} owner ${ROLE}`);
  if ((await ownerOf(client, name)) === ROLE) return;
  const database = new Client({ connectionString: url });
  await database.connect();
  await handOver(database, name).finally(() => database.end());
}

async function createOnce(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: DatabaseError) => {
    if (!ALREADY_CREATED.includes(error.code ?? '')) throw error;
  });
}

/** Everything or nothing; of several processes that start at the same time, one does it. */
async function handOver(database: Client, name: string): Promise<void> {
  await database.query('begin');
  await database.query('select pg_advisory_xact_lock($1)', [HAND_OVER_LOCK]);
  if ((await ownerOf(database, name)) !== ROLE) {
    const { rows } = await database.query<{ change: string }>(OBJECTS);
    for (const { change } of rows) await database.query(`${change} owner to ${ROLE}`);
    await database.query(`alter database ${name} owner to ${ROLE}`);
  }
  await database.query('commit');
}

async function ownerOf(client: Client, name: string): Promise<string | undefined> {
  const query = 'select datdba::regrole::text as owner from pg_database where datname = $1';
  return (await client.query<{ owner: string }>(query, [name])).rows[0]?.owner;
}
