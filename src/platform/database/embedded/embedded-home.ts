import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The files of the embedded server, and the account that it runs as. */
export interface EmbeddedHome {
  /** Contains the cluster, the server log and, if needed, a copy of the binaries. A real path without links. */
  readonly directory: string;
  /** PostgreSQL's data directory; it does not exist before the first start. */
  readonly cluster: string;
  /** undefined: the server runs as the account of this process. */
  readonly account: ServerAccount | undefined;
}

/** Parent of home directories that the server's account cannot reach under DATA_DIR. */
const REACHABLE_HOMES = '/var/lib/rcpt';
/** `nobody` of every system with the glibc that the binaries need. */
const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

/**
 * Finds or creates `dataDir/postgres`. PostgreSQL refuses to run as root, so for root it runs as `nobody`. If
 * that account cannot enter `dataDir` (for example a clone under /root), the home is in /var/lib/rcpt, with
 * a link to it.
 *
 * @param password of this DATA_DIR: concurrent processes derive the same name in /var/lib/rcpt from it
 * @throws Error when the link exists and its target does not
 */
export async function findOrMakeHome(
  dataDir: string,
  password: string,
  log: (line: string) => void,
): Promise<EmbeddedHome> {
  const path = join(dataDir, 'postgres');
  if (!(await isThere(path))) {
    if (!isRoot() || (await canEnter(dataDir))) await makeDirectory(path);
    else await makeElsewhere(path, createHash('sha256').update(password).digest('hex').slice(0, 16), log);
  }
  if (!(await isThere(`${path}/.`)))
    throw new Error(
      `${path} is a link to a database that does not exist: restore its target, or remove the link to start with an empty database`,
    );
  const directory = await realpath(path);
  const cluster = join(directory, 'cluster');
  return { directory, cluster, account: isRoot() ? await serverAccountOf(cluster, directory) : undefined };
}

async function makeElsewhere(path: string, name: string, log: (line: string) => void): Promise<void> {
  const directory = join(REACHABLE_HOMES, name);
  for (const path of [REACHABLE_HOMES, directory]) await makeDirectory(path);
  // Names the installation that uses this directory, for operators who clean up.
  await writeFile(join(directory, 'belongs-to'), `${path}\n`);
  await symlink(directory, path).catch(unless('EEXIST'));
  log(
    `PostgreSQL cannot run as root, and the account it runs as cannot enter ${dirname(path)}: ` +
      `the database is in ${directory}, and ${path} is a link to it`,
  );
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, isRoot() ? 0o711 : 0o700);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL runs only as the owner of its cluster. */
async function serverAccountOf(cluster: string, directory: string): Promise<ServerAccount> {
  const { uid, gid } = await stat(cluster).catch(() => stat(directory));
  return uid === 0 ? NOBODY : { uid, gid };
}

function canEnter(directory: string): Promise<boolean> {
  const entered = promisify(execFile)('/bin/sh', ['-c', 'cd "$0"', directory], { ...NOBODY, cwd: '/' });
  return entered.then(
    () => true,
    () => false,
  );
}

/** Creates a directory, complete or not at all. If several processes do so at the same time, one succeeds. */
export async function makeWhole(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (await isThere(path)) return;
  const folder = await mkdtemp(`${path}-`);
  try {
    await make(join(folder, 'draft'));
    await rename(join(folder, 'draft'), path);
  } catch (error) {
    if (!(await isThere(path))) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Handles errors with this code only. */
export function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(unless('ENOENT'))) !== undefined;
}
