import type { Job } from './pool-request.js';
import { isFirstContactDeferral, isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import type { SmtpSession } from './smtp-session.js';

export type SessionError = 'exhausted' | 'desynchronized' | 'first_contact' | 'late_rejection';

/** A request that was probed in a session. */
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
    const error = isBroken ? 'exhausted' : sessionErrorOf(session, served, job.tries, result);
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
  // A server that has replied to one pipelined request supports pipelining.
  if (connectionLost && session.wasPipelined && served < 2) return 'desynchronized';
  if (served > 0 && (connectionLost || isOverload(result))) return 'exhausted';
  return tries === 0 && isFirstContactDeferral(result) ? 'first_contact' : null;
}
