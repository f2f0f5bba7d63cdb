import { randomBytes } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** An operating-system account that is not root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Where the embedded server keeps its things, and as whom it runs. */
export interface EmbeddedHome {
  /** Holds the cluster, the server's log and, where one is needed, a copy of the binaries. Free of links. */
  readonly directory: string;
  /** PostgreSQL's data directory; not there before the first start. */
  readonly cluster: string;
  /** Whom the server runs as, when that is not ourselves. */
  readonly account: ServerAccount | undefined;
}

/** Where homes lie that the server's account could not reach under DATA_DIR. */
const REACHABLE_HOMES = '/var/lib/rcpt';

const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

/**
 * Finds the home of the embedded server at `dataDir/postgres`, or makes one.
 *
 * PostgreSQL refuses to run as root, so for root it runs as `nobody`. Where that account cannot reach
 * `dataDir` (a clone under /root, say), the home lies in /var/lib/rcpt and `dataDir/postgres` is a link
 * to it: later starts find it, and who removes `dataDir` starts afresh.
 *
 * @throws Error when the link is there and the home is gone
 */
export async function settleHome(dataDir: string, log: (line: string) => void): Promise<EmbeddedHome> {
  await mkdir(dataDir, { recursive: true });
  const entrance = join(resolve(dataDir), 'postgres');
  const directory = (await homeBehind(entrance)) ?? (await makeHome(entrance, log));
  const cluster = join(directory, 'cluster');
  return { directory, cluster, account: isRoot() ? await ownerOf(cluster, directory) : undefined };
}

async function homeBehind(entrance: string): Promise<string | undefined> {
  const entry = await lstat(entrance).catch(undefinedWhenMissing);
  if (!entry) return undefined;
  const directory = await realpath(entrance).catch(undefinedWhenMissing);
  if (directory) return directory;
  throw new Error(
    `${entrance} is a link to a database that is gone: restore what it points to, or remove the link to start afresh`,
  );
}

async function makeHome(entrance: string, log: (line: string) => void): Promise<string> {
  if (!isRoot()) return makeHomeAt(entrance, 0o700);
  const account = await nobody();
  if (await canEnter(account, dirname(entrance))) return makeHomeAt(entrance, 0o711);
  return makeHomeElsewhere(entrance, log);
}

/** Appears with its final mode, so that a second starter never meets a home its server cannot enter. */
async function makeHomeAt(entrance: string, mode: number): Promise<string> {
  const draft = await mkdtemp(`${entrance}-`);
  try {
    await chmod(draft, mode);
    await rename(draft, entrance);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another starter's home, already in use, is in the way: that is the one then.
    if (!(await homeBehind(entrance))) throw error;
  }
  return realpath(entrance);
}

async function makeHomeElsewhere(entrance: string, log: (line: string) => void): Promise<string> {
  const directory = join(REACHABLE_HOMES, randomBytes(8).toString('hex'));
  for (const path of [REACHABLE_HOMES, directory]) {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o711);
  }
  // For whoever finds it and wonders whether it may go.
  await writeFile(join(directory, 'belongs-to'), `${entrance}\n`);
  try {
    await symlink(directory, entrance);
  } catch (error) {
    await rm(directory, { recursive: true });
    const other = await homeBehind(entrance);
    if (other) return other;
    throw error;
  }
  log(
    `PostgreSQL cannot run as root, and the account it runs as cannot enter ${dirname(entrance)}: ` +
      `the database lives in ${directory}, and ${entrance} is a link to it`,
  );
  return directory;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL runs only as the owner of its cluster; what root owns is on its way to `nobody`. */
async function ownerOf(cluster: string, directory: string): Promise<ServerAccount> {
  const { uid, gid } = (await stat(cluster).catch(undefinedWhenMissing)) ?? (await stat(directory));
  return uid === 0 ? nobody() : { uid, gid };
}

async function nobody(): Promise<ServerAccount> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : NOBODY;
}

/** Whether the mode bits let the account through every directory down to this one. */
async function canEnter(account: ServerAccount, directory: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(directory);
  const execute = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & execute) === 0) return false;
  const parent = dirname(await realpath(directory));
  return parent === directory || canEnter(account, parent);
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
