import { readFile, readlink, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unless } from './embedded-home.js';

/** A running server, as described by the postmaster.pid of its cluster. */
export interface Postmaster {
  readonly cluster: string;
  readonly pid: number;
  readonly port: number;
  /** False during startup, recovery and shutdown. */
  readonly ready: boolean;
}

/** Time for a fast shutdown, which ends all sessions and writes a checkpoint. */
const STOP_MS = 10_000;

/** The server that runs on this cluster, including one that is starting or stopping. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  // The lines are listed in PostgreSQL's utils/pidfile.h.
  const [first, claimed = '', , port, , , , status] = ((await readPidFile(cluster)) ?? '').split('\n');
  const pid = Number(first);
  if (!pid || !Number(port) || !(await serves(pid, resolve(claimed), cluster))) return undefined;
  return { cluster, pid, port: Number(port), ready: status?.trim() === 'ready' };
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
 * Stops the server with a fast shutdown, and after 10 s with an immediate one, which is not awaited. pg_ctl
 * would wait for any server on the cluster: another process may have started the next one.
 */
export async function stopPostmaster(server: Postmaster): Promise<void> {
  signal(server, 'SIGINT');
  const timeout = AbortSignal.timeout(STOP_MS);
  // The server removes the file last. The process may remain as a zombie if its parent does not reap it.
  while ((await runningPostmaster(server.cluster))?.pid === server.pid) {
    if (timeout.aborted) return stopPostmasterNow(server);
    await pause(10);
  }
}

/** Requests an immediate shutdown and does not wait for it. The server recovers at its next start. */
export function stopPostmasterNow(server: Postmaster): void {
  signal(server, 'SIGQUIT');
}

function signal({ pid }: Postmaster, name: NodeJS.Signals): void {
  if (isProcess(pid)) process.kill(pid, name);
}

/**
 * Whether the process is a server on this cluster. On Linux its working directory shows this even if the
 * pid was reused or the cluster was copied. Root without CAP_SYS_PTRACE (in most containers) cannot read
 * that of another account, and macOS and Windows have no /proc; then the name and the file decide.
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

function readPidFile(cluster: string): Promise<string | undefined> {
  return readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(unless('ENOENT'));
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
