import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** An operating-system account that is not root. */
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
const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

/**
 * Finds or creates the home of the embedded server at `dataDir/postgres`.
 *
 * PostgreSQL refuses to run as root, so for root it runs as `nobody`. If that account cannot enter
 * `dataDir` (for example a clone under /root), the home is in /var/lib/rcpt and `dataDir/postgres` is a
 * link to it.
 *
 * @throws Error when the link exists and its target does not
 */
export async function findOrMakeHome(dataDir: string, log: (line: string) => void): Promise<EmbeddedHome> {
  await mkdir(dataDir, { recursive: true });
  const path = join(resolve(dataDir), 'postgres');
  const directory = (await homeAt(path)) ?? (await makeHome(path, log));
  const cluster = join(directory, 'cluster');
  return { directory, cluster, account: isRoot() ? await ownerOf(cluster, directory) : undefined };
}

async function homeAt(path: string): Promise<string | undefined> {
  if (!(await lstat(path).catch(ifMissing))) return undefined;
  const directory = await realpath(path).catch(ifMissing);
  if (directory) return directory;
  throw new Error(
    `${path} is a link to a database that does not exist: restore its target, or remove the link to start with an empty database`,
  );
}

async function makeHome(path: string, log: (line: string) => void): Promise<string> {
  if (isRoot() && !(await canEnter(await nobody(), dirname(path)))) return makeHomeElsewhere(path, log);
  await mkdir(path, { recursive: true });
  await chmod(path, isRoot() ? 0o711 : 0o700);
  return realpath(path);
}

async function makeHomeElsewhere(path: string, log: (line: string) => void): Promise<string> {
  const directory = join(REACHABLE_HOMES, randomBytes(8).toString('hex'));
  for (const each of [REACHABLE_HOMES, directory]) {
    await mkdir(each, { recursive: true });
    await chmod(each, 0o711);
  }
  // Names the installation that uses this directory, for operators who clean up.
  await writeFile(join(directory, 'belongs-to'), `${path}\n`);
  try {
    await symlink(directory, path);
  } catch (error) {
    await rm(directory, { recursive: true });
    // Another process that starts at the same time may have created the link.
    const other = await homeAt(path);
    if (other) return other;
    throw error;
  }
  log(
    `PostgreSQL cannot run as root, and the account it runs as cannot enter ${dirname(path)}: ` +
      `the database is in ${directory}, and ${path} is a link to it`,
  );
  return directory;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL runs only as the owner of its cluster. */
async function ownerOf(cluster: string, directory: string): Promise<ServerAccount> {
  const { uid, gid } = (await stat(cluster).catch(ifMissing)) ?? (await stat(directory));
  return uid === 0 ? nobody() : { uid, gid };
}

async function nobody(): Promise<ServerAccount> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : NOBODY;
}

function canEnter(account: ServerAccount, directory: string): Promise<boolean> {
  const entered = promisify(execFile)('/bin/sh', ['-c', 'cd "$0"', directory], { ...account, cwd: '/' });
  return entered.then(
    () => true,
    () => false,
  );
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
