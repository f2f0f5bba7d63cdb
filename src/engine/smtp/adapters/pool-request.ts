import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import { NO_REPLY, type SmtpProbeResult } from './smtp-probe-result.js';
import type { Recipient } from './smtp-recipient.js';

/** A request to probe one recipient. */
export interface Request extends Requester {
  recipient: Recipient;
  /** The deadline. */
  signal: AbortSignal;
  /** When to give up while no session has been greeted, in milliseconds of the monotonic clock. */
  greetingDeadlineMs: number;
}

/** A request in the pool of a server. */
export interface Job extends Request {
  finish(result: SmtpProbeResult): void;
  /** Recipients that the session had served when this request failed in it; 0: it has not failed. */
  failedAfter: number;
  /** Recipients that the session had served when it rejected this one late; 0: it has not. */
  rejectedAfter: number;
  tries: number;
}

/**
 * @param resolve called with the result, once.
 * @param onTimeout called at the deadline, and before, when it gives up if no session was greeted.
 */
export function jobFor(
  request: Request,
  clock: Clock,
  resolve: (result: SmtpProbeResult) => void,
  onTimeout: (job: Job, isDeadline: boolean) => void,
): Job {
  const waitMs = Math.max(0, request.greetingDeadlineMs - clock.monotonicMs());
  const timer = setTimeout(() => onTimeout(job, false), waitMs);
  const abort = () => onTimeout(job, true);
  request.signal.addEventListener('abort', abort, { once: true });
  const finish = (result: SmtpProbeResult) => {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', abort);
    resolve(result);
  };
  const job: Job = { ...request, finish, failedAfter: 0, rejectedAfter: 0, tries: 0 };
  return job;
}

/** The result of a request that got no session. */
export function notGreeted(end: 'no_connect' | 'timeout', stage: SmtpStage): SmtpProbeResult {
  return { ...NO_REPLY, end, stage };
}
