import { readFile, readlink, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server as its cluster's postmaster.pid describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** False while it starts, recovers or stops. */
  readonly ready: boolean;
}

/** Fast, then immediate shutdown, and how long to wait for each. */
const STOP_SIGNALS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 6_000],
] as const;

/** The server that runs on this cluster now, starting or stopping included. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  // The lines are listed in PostgreSQL's utils/pidfile.h.
  const [pid, directory = '', , port, , , , status] = ((await readPidFile(cluster)) ?? '').split('\n');
  if (!Number(pid) || !Number(port) || !(await serves(Number(pid), resolve(directory), cluster)))
    return undefined;
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' };
}

/**
 * Removes a postmaster.pid that would keep a new server from starting although none runs. PostgreSQL
 * replaces the file of a process that is gone, but not one whose pid now belongs to another process, as
 * happens in every restarted container, and not an empty one, as a power failure may leave it.
 */
export async function removeStalePidFile(cluster: string): Promise<void> {
  const before = await readPidFile(cluster);
  if (before === undefined || (await runningPostmaster(cluster))) return;
  // A server that starts at this moment creates the file first and fills it then.
  await pause(100);
  if ((await readPidFile(cluster)) === before) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Stops the server: sessions are closed and data written; one that needs longer than 10 s recovers at its
 * next start. Not with pg_ctl, which waits for the cluster and not for the process: another process may
 * have started the next server meanwhile.
 */
export async function stopPostmaster({ pid }: Postmaster, cluster: string): Promise<void> {
  for (const [signal, ms] of STOP_SIGNALS) {
    if (isProcess(pid)) process.kill(pid, signal);
    const timeout = AbortSignal.timeout(ms);
    // The file goes last; the process may stay a zombie, where its parent does not reap it.
    while (isProcess(pid) && (await readPidFile(cluster))?.startsWith(`${pid}\n`)) {
      if (timeout.aborted) break;
      await pause(10);
    }
    if (!timeout.aborted) return;
  }
}

/**
 * Whether the process is a server on this very cluster. On Linux its working directory says so, also where
 * the pid was given to another process or the cluster was copied. Root without CAP_SYS_PTRACE (in most
 * containers) may not see that of another account, and macOS and Windows have no /proc: there the process's
 * name and the file's own content decide.
 */
async function serves(pid: number, claimed: string, cluster: string): Promise<boolean> {
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
  return readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
