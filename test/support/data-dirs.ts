import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installedPackage } from '../../src/platform/database/embedded-binaries.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { runningPostmaster } from '../../src/platform/database/embedded-postmaster.js';

/** DATA_DIRs for one test, and what goes with them: their servers, and homes made outside of them. */
export class DataDirs {
  private readonly parents: string[] = [];
  private readonly homes = new Set<string>();
  private static used: Promise<string> | null = null;

  /**
   * Path of a DATA_DIR that is not there yet.
   *
   * @param parent.mode of the directory it will lie in
   * @param parent.uid owner of that directory
   */
  async next({ mode = 0o755, uid }: { mode?: number; uid?: number } = {}): Promise<string> {
    const parent = await mkdtemp(join(await realpath(tmpdir()), 'rcpt-'));
    this.parents.push(parent);
    await chmod(parent, mode);
    if (uid !== undefined) await chown(parent, uid, uid);
    return join(parent, 'data');
  }

  /** Path of a DATA_DIR on which a database was made, and stopped: a copy, since making one takes long. */
  async nextUsed(): Promise<string> {
    const used = await (DataDirs.used ??= this.makeUsed());
    const dataDir = await this.next();
    await promisify(execFile)('cp', ['-a', used, dataDir]);
    return dataDir;
  }

  /** Where those were that are copied; asked for after the last test of a file. */
  static async forgetUsed(): Promise<void> {
    const used = await DataDirs.used;
    DataDirs.used = null;
    if (used !== null) await rm(dirname(used), { recursive: true, force: true });
  }

  private async makeUsed(): Promise<string> {
    const parent = await mkdtemp(join(await realpath(tmpdir()), 'rcpt-'));
    await chmod(parent, 0o755);
    const dataDir = join(parent, 'data');
    await (await EmbeddedPostgres.open({ dataDir, log: () => undefined })).close();
    // What the tests kill are processes: nothing need outlive the machine.
    const settings = join(dataDir, 'postgres', 'cluster', 'postgresql.auto.conf');
    await appendFile(settings, 'fsync = off\n');
    return dataDir;
  }

  /** A copy of the npm package with the binaries, beside the DATA_DIR. */
  async packageBeside(dataDir: string): Promise<string> {
    const copy = join(dirname(dataDir), 'package');
    await promisify(execFile)('cp', ['-a', installedPackage(), copy]);
    return copy;
  }

  /** The same as an `npm ci --ignore-scripts` leaves it. */
  async packageWithoutLinks(dataDir: string): Promise<string> {
    const copy = await this.packageBeside(dataDir);
    const list = await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
    const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(copy, target));
    await Promise.all(links.map((link) => rm(link, { force: true })));
    return copy;
  }

  /** The home behind a DATA_DIR, remembered for the time when nothing leads to it any more. */
  async homeOf(dataDir: string): Promise<string> {
    const home = await realpath(join(dataDir, 'postgres'));
    this.homes.add(home);
    return home;
  }

  async removeAll(): Promise<void> {
    for (const parent of this.parents) await this.homeOf(join(parent, 'data')).catch(() => undefined);
    for (const home of this.homes) {
      const server = await runningPostmaster(join(home, 'cluster'));
      if (server) process.kill(server.pid, 'SIGQUIT');
    }
    const directories = [...this.homes, ...this.parents];
    // A server or an initdb whose starter was killed may still be writing its last.
    for (const path of directories) await rm(path, { recursive: true, force: true, maxRetries: 20 });
    this.homes.clear();
    this.parents.length = 0;
  }
}

/** An account that is not root, when we are root: else undefined, our own will do. */
export function plainUser(): number | undefined {
  return process.getuid?.() === 0 ? 65534 : undefined;
}
