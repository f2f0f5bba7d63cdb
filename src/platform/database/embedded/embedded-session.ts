import { Client, type DatabaseError } from 'pg';

/** Session-level advisory locks in the database `postgres`, where no other part of Rcpt acquires locks. */
const LOCK_CLASS = 0x72637074;
const LOCKS = { inUse: 0, service: 1 };
const WRONG_PASSWORD = '28P01';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Opens the permanent connection of this process, and marks the server as in use. The locks end with the
 * connection, so a killed process leaves none.
 *
 * @returns the connection, or the reason for a failure that can be retried: the server starts or stops
 * @throws Error if the password is wrong
 */
export async function openSession(port: number, password: string): Promise<Client | string> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    application_name: `rcpt pid ${process.pid}`,
    connectionTimeoutMillis: 5_000,
    // The lock of a killed process is released within this time.
    lock_timeout: 1_000,
  });
  // The server may close the connection at any time. The event `end` follows.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await callLock(client, 'pg_try_advisory_lock_shared', 'inUse')) return client;
    await client.end();
    return 'it is being stopped';
  } catch (error) {
    await client.end().catch(() => undefined);
    const { code, message } = error as DatabaseError;
    if (code !== WRONG_PASSWORD) return message;
    throw new Error(
      'the password in DATA_DIR/postgres-password is not that of the database in DATA_DIR/postgres',
    );
  }
}

/** Makes this process the service until the session ends. @returns the process that is it already; null on success. */
export async function claimService(client: Client): Promise<string | null> {
  try {
    await callLock(client, 'pg_advisory_lock', 'service');
    return null;
  } catch (error) {
    if ((error as DatabaseError).code !== LOCK_NOT_AVAILABLE) throw error;
  }
  const { rows } = await client.query<{ holder: string }>(
    `select application_name as holder from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
    [LOCK_CLASS, LOCKS.service],
  );
  return rows[0]?.holder.replace('rcpt ', '') ?? 'pid unknown';
}

/**
 * Releases the mark of this process. It is released before the exclusive lock is tried, so that of two
 * processes that close at the same time one is the last.
 *
 * @returns true if no other process uses the server; none can start to use it before the session ends
 */
export async function releaseServer(client: Client): Promise<boolean> {
  try {
    await callLock(client, 'pg_advisory_unlock_shared', 'inUse');
    return await callLock(client, 'pg_try_advisory_lock', 'inUse');
  } catch {
    // The connection is lost: the server has stopped.
    return false;
  }
}

async function callLock(client: Client, name: string, lock: keyof typeof LOCKS): Promise<boolean> {
  const statement = `select ${name}($1, $2) as result`;
  const { rows } = await client.query<{ result: unknown }>(statement, [LOCK_CLASS, LOCKS[lock]]);
  return rows[0]?.result === true;
}
