import { Client, type DatabaseError } from 'pg';

/** A role on a DATA_DIR. At most one process holds each role. */
export type EmbeddedRole = 'api' | 'worker';

/** Session-level advisory locks in the database `postgres`, where no other part of Rcpt takes locks. */
const LOCK_CLASS = 0x72637074;
const LOCKS = { inUse: 0, api: 1, worker: 2 };
const WRONG_PASSWORD = '28P01';
const LOCK_NOT_AVAILABLE = '55P03';
const ALREADY_CREATED = ['42P04', '23505'];

/**
 * A permanent connection to the embedded server. It holds the advisory locks that coordinate the
 * processes on a DATA_DIR. The locks end with the connection, so a killed process leaves none.
 */
export class EmbeddedSession {
  private isClosing = false;
  private isLost = false;

  private constructor(
    private readonly client: Client,
    log: (line: string) => void,
  ) {
    const onLoss = () => {
      if (!this.isClosing && !this.isLost)
        log('The embedded PostgreSQL closed the connection; it may have been stopped');
      this.isLost = true;
    };
    client.on('error', onLoss).on('end', onLoss);
  }

  /**
   * Connects and marks the server as in use.
   *
   * @returns the session, or the reason for a failure that can be retried: the server is starting or stopping
   * @throws Error if the password is wrong
   */
  static async open(
    port: number,
    password: string,
    log: (line: string) => void,
  ): Promise<EmbeddedSession | string> {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password,
      database: 'postgres',
      application_name: `rcpt pid ${process.pid}`,
      connectionTimeoutMillis: 5_000,
    });
    // The server may close the connection before the session has added its error listener.
    client.on('error', () => undefined);
    try {
      await client.connect();
      // The lock of a killed process is released within this time.
      await client.query(`set lock_timeout = '1s'`);
      if (await tryLock(client, 'pg_try_advisory_lock_shared')) return new EmbeddedSession(client, log);
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

  async createDatabase(name: string): Promise<void> {
    const { rowCount } = await this.client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    await this.client.query(`create database ${name}`).catch((error: DatabaseError) => {
      if (!ALREADY_CREATED.includes(error.code ?? '')) throw error;
    });
  }

  /** Claims the role until this session ends. @returns the process that holds it already; undefined on success. */
  async claim(role: EmbeddedRole): Promise<string | undefined> {
    try {
      await this.client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, LOCKS[role]]);
      return undefined;
    } catch (error) {
      if ((error as DatabaseError).code !== LOCK_NOT_AVAILABLE) throw error;
    }
    const { rows } = await this.client.query<{ holder: string }>(
      `select application_name as holder from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
      [LOCK_CLASS, LOCKS[role]],
    );
    return /pid \d+/.exec(rows[0]?.holder ?? '')?.[0] ?? 'pid unknown';
  }

  /**
   * Releases the shared lock of this process. @returns true if no other process uses the server; then none
   * can start to use it before `end`. The shared lock is released before the exclusive lock is tried, so
   * that of two processes that close at the same time one is the last.
   */
  async release(): Promise<boolean> {
    this.isClosing = true;
    if (this.isLost) return false;
    try {
      await this.client.query('select pg_advisory_unlock_shared($1, $2)', [LOCK_CLASS, LOCKS.inUse]);
      return await tryLock(this.client, 'pg_try_advisory_lock');
    } catch {
      // Another process may have stopped the server in the meantime.
      return false;
    }
  }

  async end(): Promise<void> {
    this.isClosing = true;
    if (!this.isLost) await this.client.end();
  }
}

async function tryLock(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`select ${lock}($1, $2) as locked`, [
    LOCK_CLASS,
    LOCKS.inUse,
  ]);
  return rows[0]?.locked === true;
}
