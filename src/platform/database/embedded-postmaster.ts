import { readFile, readlink, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server as it describes itself in its cluster's postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  readonly cluster: string;
  readonly port: number;
  /** False while it starts, recovers or stops. */
  readonly ready: boolean;
}

const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 6_000;

/** What postmaster.pid says, if it is there and whole. Its lines are listed in PostgreSQL's utils/pidfile.h. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = ((await readPidFile(cluster)) ?? '').split('\n');
  const [pid, directory, , port, , , , status] = lines;
  if (!Number(pid) || !directory || !Number(port)) return undefined;
  return {
    pid: Number(pid),
    cluster: resolve(directory),
    port: Number(port),
    ready: status?.trim() === 'ready',
  };
}

/** The server that runs on this cluster now, starting or stopping included. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(cluster);
  return postmaster && (await serves(postmaster, cluster)) ? postmaster : undefined;
}

/**
 * Removes a postmaster.pid that would keep a new server from starting although none runs.
 *
 * PostgreSQL itself replaces the file of a process that is gone, but believes one whose number now belongs
 * to another process, and refuses an empty one, as a power cut may leave it.
 */
export async function clearStalePidFile(cluster: string): Promise<void> {
  const before = await readPidFile(cluster);
  if (before === undefined) return;
  const postmaster = await readPostmaster(cluster);
  if (postmaster && (!isProcess(postmaster.pid) || (await serves(postmaster, cluster)))) return;
  // A server that starts at this moment creates the file first and fills it then.
  if (!postmaster) await pause(100);
  if ((await readPidFile(cluster)) === before) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Stops a server and returns when it is gone: sessions are cut and data written back; a server that is not
 * done after 10 s is stopped at once, and recovers from its log at the next start. (On Windows it is always
 * the latter: there the signal ends the process.)
 */
export async function stopPostmaster(postmaster: Postmaster, cluster: string): Promise<void> {
  signal(postmaster.pid, 'SIGINT');
  if (await goneWithin(FAST_SHUTDOWN_MS, postmaster, cluster)) return;
  signal(postmaster.pid, 'SIGQUIT');
  await goneWithin(IMMEDIATE_SHUTDOWN_MS, postmaster, cluster);
}

/** The file goes last; the process may stay a zombie, where whoever inherited it does not reap. */
async function goneWithin(ms: number, { pid }: Postmaster, cluster: string): Promise<boolean> {
  const bound = AbortSignal.timeout(ms);
  while (!bound.aborted) {
    if (!isProcess(pid) || (await readPostmaster(cluster))?.pid !== pid) return true;
    await pause(POLL_MS);
  }
  return false;
}

/**
 * Whether the process of that number is a server on this very cluster. On Linux its working directory tells,
 * which a number given to another process, or a copied cluster, do not get past. Root without CAP_SYS_PTRACE
 * (in most containers) may not see that of another account, and macOS and Windows have no /proc: there the
 * process's name and the file's own word must do.
 */
async function serves({ pid, cluster: claimed }: Postmaster, cluster: string): Promise<boolean> {
  if (!isProcess(pid)) return false;
  if (process.platform !== 'linux') return claimed === cluster;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === cluster;
  } catch {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return name.trim() === 'postgres' && claimed === cluster;
  }
}

async function readPidFile(cluster: string): Promise<string | undefined> {
  try {
    return await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (isProcess(pid)) process.kill(pid, name);
}
