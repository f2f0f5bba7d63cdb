import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import {
  NO_REPLY,
  type SmtpProbeResult,
  isFirstContactDeferral,
  isOverload,
} from '../protocol/smtp-probe-result.js';
import type { Recipient } from '../protocol/smtp-conversation.js';
import type { SmtpSession } from '../protocol/smtp-session.js';

export interface Request extends Requester {
  recipient: Recipient;
  /** The deadline. */
  signal: AbortSignal;
  /** When to give up while no session has been greeted, in milliseconds of the monotonic clock. */
  greetingDeadlineMs: number;
}

export interface Job extends Request {
  finish(result: SmtpProbeResult): void;
  /** Ends it because of a bug. */
  fail(bug: unknown): void;
  /** Recipients that the session had served when this request failed in it; 0: it has not failed. */
  failedAfter: number;
  /** Recipients that the session had served when it rejected this one late; 0: it has not. */
  rejectedAfter: number;
  tries: number;
}

/**
 * @param promise settled once, with the result or a bug.
 * @param onTimeout called at the deadline, and before, when it gives up if no session was greeted.
 */
export function jobFor(
  request: Request,
  clock: Clock,
  promise: { resolve: (result: SmtpProbeResult) => void; reject: (bug: unknown) => void },
  onTimeout: (job: Job, isDeadline: boolean) => void,
): Job {
  const waitMs = Math.max(0, request.greetingDeadlineMs - clock.monotonicMs());
  const timer = setTimeout(() => onTimeout(job, false), waitMs);
  const abort = () => onTimeout(job, true);
  request.signal.addEventListener('abort', abort, { once: true });
  const end = () => {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', abort);
  };
  const finish = (result: SmtpProbeResult) => {
    end();
    promise.resolve(result);
  };
  const fail = (bug: unknown) => {
    end();
    promise.reject(bug);
  };
  const job: Job = { ...request, finish, fail, failedAfter: 0, rejectedAfter: 0, tries: 0 };
  return job;
}

/** Those that have ended already stay as they are. */
export function failAll(jobs: readonly Job[], bug: unknown): null {
  for (const job of jobs) job.fail(bug);
  return null;
}

/** The result of a request that got no session. */
export function notGreeted(end: 'no_connect' | 'timeout', stage: SmtpStage): SmtpProbeResult {
  return { ...NO_REPLY, end, stage };
}

export type SessionError = 'exhausted' | 'desynchronized' | 'first_contact' | 'late_rejection' | 'abandoned';

export interface Probed {
  job: Job;
  result: SmtpProbeResult;
  /** Recipients that the session had served before. */
  served: number;
  /** Of these, rejected. */
  rejected: number;
  /** Why the result may be due to the session and not to the recipient; null: it is about the recipient. */
  error: SessionError | null;
}

/** Probes recipients in a session. */
export async function probedBy(session: SmtpSession, jobs: readonly Job[]): Promise<Probed[]> {
  const before = session.served;
  let { rejected } = session;
  let isBroken = false;
  return (await session.probe(jobs)).map((result, n) => {
    const job = jobs[n]!;
    const served = result.reply === null ? session.served : before + n;
    // The requests behind the one that broke the connection were not processed.
    const error =
      isBroken && !session.isAbandoned ? 'exhausted' : sessionErrorOf(session, served, job.tries, result);
    const probed = { job, result, served, rejected, error };
    isBroken ||= result.reply === null && session.isClosed;
    if (result.reply !== null && result.reply.code >= 400) rejected += 1;
    return probed;
  });
}

function sessionErrorOf(
  session: SmtpSession,
  served: number,
  tries: number,
  result: SmtpProbeResult,
): SessionError | null {
  const connectionLost = result.reply === null && session.isClosed;
  if (connectionLost && session.isAbandoned) return 'abandoned';
  // A server that has replied to one pipelined request supports pipelining.
  if (connectionLost && session.wasPipelined && served < 2) return 'desynchronized';
  if (served > 0 && (connectionLost || isOverload(result))) return 'exhausted';
  return tries === 0 && isFirstContactDeferral(result) ? 'first_contact' : null;
}
