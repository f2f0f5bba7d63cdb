import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:process';

/**
 * The directory in which Linux shows the processor time of the calling thread. Time that passes is no measure: on a
 * machine that is busy, a thread waits for a processor most of it.
 *
 * @returns null: another system, or it is not shown.
 */
export function taskOfThread(): string | null {
  if (platform !== 'linux') return null;
  try {
    const [, , task] = readlinkSync('/proc/thread-self').split('/');
    const path = `/proc/self/task/${task}/schedstat`;
    return processorMs(path) === null ? null : path;
  } catch {
    return null;
  }
}

/** @returns null: the thread has ended. */
export function processorMs(task: string): number | null {
  try {
    const nanoseconds = Number(readFileSync(task, 'latin1').split(' ')[0]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
}
