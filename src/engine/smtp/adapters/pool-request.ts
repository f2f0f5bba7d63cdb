import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Requester } from '../../limits/requester.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
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

export interface JobTimes {
  /** At its deadline. */
  onAbort: (job: Job) => void;
  /** When it gives up if no session was greeted. */
  onGreetingDeadline: (job: Job) => void;
}

/** @param resolve called with the result, once. */
export function jobFor(
  request: Request,
  clock: Clock,
  resolve: (result: SmtpProbeResult) => void,
  { onAbort, onGreetingDeadline }: JobTimes,
): Job {
  const waitMs = Math.max(0, request.greetingDeadlineMs - clock.monotonicMs());
  const timer = setTimeout(() => onGreetingDeadline(job), waitMs);
  const abort = () => onAbort(job);
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
  return { end, stage, tls: false, settled: false, reply: null, category: null, rule: null, smtputf8: null };
}
