import type { BulkJobResponse } from '../../modules/lists/bulk/jobs/bulk-job.dto.js';
import { plural } from '../terminal.js';

/** Why a job waits although all other rows are done. */
export interface Deferral {
  short: string;
  sentence: string;
}

type Job = Pick<BulkJobResponse, 'total' | 'processed' | 'deferred' | 'next_attempt_at' | 'deferred_until'>;

/** @returns null: other rows are not done yet, or none is deferred. */
export function deferralOf(job: Job): Deferral | null {
  const { deferred, next_attempt_at: next, deferred_until: until } = job;
  if (deferred === 0 || job.processed + deferred < job.total) return null;
  const rows = plural(deferred, 'row');
  const attempt = next === null ? 'they are verified now' : `the next attempt is at ${clockTime(next)}`;
  const end = until === null ? '' : `, and at ${clockTime(until)} they are completed with what is known`;
  return {
    short: `${rows} deferred${until === null ? '' : ` until ${clockTime(until)}`}`,
    sentence:
      `${rows} deferred: the mail servers asked to try again later; ${attempt}${end}. ` +
      'To complete them now, end this with Ctrl-C, and run the same command with --finish.',
  };
}

/** In the time zone of this machine. */
function clockTime(time: string): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
