import { Client } from 'pg';
import type { DatabaseError } from 'pg';

/** What a process does on a DATA_DIR; each role is held by at most one process. */
export type EmbeddedRole = 'api' | 'worker';

/** Session-level advisory locks, in the database `postgres`, where no other part of Rcpt takes any. */
const LOCK_CLASS = 0x72637074;
const LOCKS = { inUse: 0, api: 1, worker: 2 };

const WRONG_PASSWORD = '28P01';
const LOCK_NOT_AVAILABLE = '55P03';
const ALREADY_CREATED = ['42P04', '23505'];

/**
 * Our one lasting connection to the embedded server. It holds the locks by which the processes on a
 * DATA_DIR know of each other; they go with the connection, so a killed process leaves none behind.
 */
export class EmbeddedSession {
  private leaving = false;
  private lost = false;

  private constructor(
    private readonly client: Client,
    log: (line: string) => void,
  ) {
    const onLoss = () => {
      if (!this.leaving && !this.lost)
        log('The embedded PostgreSQL has closed our connection: has it been stopped?');
      this.lost = true;
    };
    client.on('error', onLoss).on('end', onLoss);
  }

  /**
   * Connects and marks the server as in use.
   *
   * @returns why not, when it will pass: the server starts, or the last of its users is stopping it
   * @throws Error when the password is not this server's
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
    // Until the session listens itself: a server may drop us in the middle of all this.
    client.on('error', () => undefined);
    try {
      await client.connect();
      // A lock of a process killed this moment is gone within that time.
      await client.query(`set lock_timeout = '1s'`);
      if (await holds(client, 'pg_try_advisory_lock_shared', LOCKS.inUse))
        return new EmbeddedSession(client, log);
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
    try {
      await this.client.query(`create database ${name}`);
    } catch (error) {
      if (!ALREADY_CREATED.includes((error as DatabaseError).code ?? '')) throw error;
    }
  }

  /**
   * Takes the role until this session ends.
   *
   * @returns undefined when it is ours now, else the process that has it
   */
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
   * Gives up our use of the server. True when nobody else uses it: then nobody can begin to before `end`.
   * Our own mark goes first: of two that leave together, one must find itself the last.
   */
  async leave(): Promise<boolean> {
    this.leaving = true;
    if (this.lost) return false;
    try {
      await this.client.query('select pg_advisory_unlock_shared($1, $2)', [LOCK_CLASS, LOCKS.inUse]);
      return await holds(this.client, 'pg_try_advisory_lock', LOCKS.inUse);
    } catch {
      // Once our mark is gone another process that leaves may be the last, and stop the server under us.
      return false;
    }
  }

  async end(): Promise<void> {
    this.leaving = true;
    if (!this.lost) await this.client.end();
  }
}

async function holds(client: Client, take: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select ${take}($1, $2) as held`, [
    LOCK_CLASS,
    lock,
  ]);
  return rows[0]?.held === true;
}
