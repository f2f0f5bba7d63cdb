import { readFile, readlink, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A running server, as described by the postmaster.pid of its cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** False during startup, recovery and shutdown. */
  readonly ready: boolean;
}

/** Fast, then immediate shutdown, with the time to wait for each in milliseconds. */
const STOP_SIGNALS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 6_000],
] as const;

/** The server that runs on this cluster, including one that is starting or stopping. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  // The lines are listed in PostgreSQL's utils/pidfile.h.
  const [pid, directory = '', , port, , , , status] = ((await readPidFile(cluster)) ?? '').split('\n');
  if (!Number(pid) || !Number(port) || !(await serves(Number(pid), resolve(directory), cluster)))
    return undefined;
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' };
}

/**
 * Removes a stale postmaster.pid, which prevents a new server from starting. PostgreSQL replaces the file
 * if its process has ended, but not if the pid now belongs to another process, as in a restarted
 * container, and not if the file is empty, as after a power failure.
 */
export async function removeStalePidFile(cluster: string): Promise<void> {
  const before = await readPidFile(cluster);
  if (before === undefined || (await runningPostmaster(cluster))) return;
  // A starting server creates the file before it writes to it.
  await pause(100);
  if ((await readPidFile(cluster)) === before) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Stops the server with a fast shutdown. After 10 s it uses an immediate shutdown, and the server recovers
 * at its next start. pg_ctl is not used because it waits for the cluster and not for the process: another
 * process may have started the next server.
 */
export async function stopPostmaster({ pid }: Postmaster, cluster: string): Promise<void> {
  for (const [signal, ms] of STOP_SIGNALS) {
    if (isProcess(pid)) process.kill(pid, signal);
    const timeout = AbortSignal.timeout(ms);
    // The server removes the file last. The process may remain as a zombie if its parent does not reap it.
    while (isProcess(pid) && (await readPidFile(cluster))?.startsWith(`${pid}\n`)) {
      if (timeout.aborted) break;
      await pause(10);
    }
    if (!timeout.aborted) return;
  }
}

/** Requests an immediate shutdown and does not wait for it. */
export function stopPostmasterNow({ pid }: Postmaster): void {
  if (isProcess(pid)) process.kill(pid, 'SIGQUIT');
}

/**
 * Whether the process is a server on this cluster. On Linux its working directory shows this even if the
 * pid was reused or the cluster was copied. Root without CAP_SYS_PTRACE (in most containers) cannot read
 * the working directory of another account, and macOS and Windows have no /proc; then the process name and
 * the content of the file decide.
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
