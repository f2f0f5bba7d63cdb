import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installedPackage } from '../../../src/platform/database/embedded/embedded-binaries.js';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { runningPostmaster } from '../../../src/platform/database/embedded/embedded-postmaster.js';

/** Manages the DATA_DIRs of a test, their servers, and their homes outside of DATA_DIR. */
export class DataDirs {
  private readonly parents: string[] = [];
  private readonly homes = new Set<string>();

  /**
   * Path of a DATA_DIR that does not exist yet.
   *
   * @param parent.mode mode of its parent directory
   * @param parent.uid owner of its parent directory
   */
  async next({ mode = 0o755, uid }: { mode?: number; uid?: number } = {}): Promise<string> {
    const parent = await mkdtemp(join(await realpath(tmpdir()), 'rcpt-'));
    this.parents.push(parent);
    await chmod(parent, mode);
    if (uid !== undefined) await chown(parent, uid, uid);
    return join(parent, 'data');
  }

  /** Path of a DATA_DIR with a stopped database. It is a copy, because creating one is slow. */
  async nextInitialized(): Promise<string> {
    const original = process.env.RCPT_TEST_CLUSTER ?? '';
    if (!existsSync(original)) await this.initialize(original);
    const dataDir = await this.next();
    await promisify(execFile)('cp', ['-a', original, dataDir]);
    return dataDir;
  }

  /** The original of the copies of the whole run. Of workers that make it at the same time, one succeeds. */
  private async initialize(original: string): Promise<void> {
    const dataDir = await this.next();
    await (await EmbeddedPostgres.open({ dataDir, log: () => undefined })).close();
    // What the tests kill are processes: nothing need outlive the machine.
    const settings = join(dataDir, 'postgres', 'cluster', 'postgresql.auto.conf');
    await appendFile(settings, 'fsync = off\n');
    await rename(dataDir, original).catch((error: unknown) => {
      if (!existsSync(original)) throw error;
    });
  }

  /** Copies the npm package with the binaries next to the DATA_DIR. */
  async packageBeside(dataDir: string): Promise<string> {
    const copy = join(dirname(dataDir), 'package');
    await promisify(execFile)('cp', ['-a', installedPackage(), copy]);
    return copy;
  }

  /** The same copy without links, as after `npm ci --ignore-scripts`. */
  async packageWithoutLinks(dataDir: string): Promise<string> {
    const copy = await this.packageBeside(dataDir);
    const list = await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
    const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(copy, target));
    await Promise.all(links.map((link) => rm(link, { force: true })));
    return copy;
  }

  /** The home of a DATA_DIR; it is deleted after the test. */
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
    // A server or initdb of a killed process may still write files.
    for (const path of directories) await rm(path, { recursive: true, force: true, maxRetries: 20 });
    this.homes.clear();
    this.parents.length = 0;
  }
}

/** The uid of an account other than root if the process runs as root; otherwise undefined. */
export function nonRootUid(): number | undefined {
  return process.getuid?.() === 0 ? 65534 : undefined;
}
