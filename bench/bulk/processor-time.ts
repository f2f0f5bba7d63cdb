import { readdir, readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';

/** Linux reports processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Fields of `/proc/<pid>/stat` after the command, which may contain spaces (proc_pid_stat(5)). */
const PARENT = 1;
const OWN = [11, 12];
const ENDED_CHILDREN = [13, 14];

/** The processor time of a process so far, in ms. */
export async function processorMs(pid: number | undefined): Promise<number> {
  return sum(await statOf(`${pid}`), OWN);
}

/** The processor time of the server with its sessions and workers, ended ones included, in ms. */
export async function serverMs(postmaster: number): Promise<number> {
  let total = sum(await statOf(`${postmaster}`), [...OWN, ...ENDED_CHILDREN]);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process may end in between.
    const stat = await statOf(pid).catch(() => null);
    if (stat?.[PARENT] === `${postmaster}`) total += sum(stat, OWN);
  }
  return total;
}

export async function postmasterOf(database: DataSource): Promise<number> {
  const [row] = await database.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
  return Number((await statOf(`${row?.pid}`))[PARENT]);
}

/** The peak memory of a process, in MB. */
export async function peakMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function statOf(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function sum(stat: readonly string[], fields: readonly number[]): number {
  return fields.reduce((total, field) => total + Number(stat[field]) * MS_PER_TICK, 0);
}
