import type { LearnedLimits } from './learned-limits.js';
import type { Job } from './pool-request.js';
import { sessionErrorOf, type SessionError } from './session-error.js';
import type { SmtpProbeResult } from './smtp-probe-result.js';
import type { SmtpSession } from './smtp-session.js';

/** Recipients of a session that no known defence counts as harvesting. */
const ALWAYS_TRUSTED = 3;

/**
 * Which results at a server are due to the session, so that the recipient is probed again in another one.
 *
 * Servers that defend against harvesting reject every recipient after some of a session as an unknown user.
 * So a mailbox is missing only if its server rejects it at a position of a session at which it is known to
 * tell recipients apart: one at which it has accepted a recipient, or rejected one that a new session
 * rejected too.
 */
export class RecipientErrors {
  private trusted = ALWAYS_TRUSTED;

  constructor(private readonly limits: LearnedLimits) {}

  /** @param served recipients of the session before this one. @returns null: the result is final. */
  errorOf(session: SmtpSession, served: number, job: Job, result: SmtpProbeResult): SessionError | null {
    const error = sessionErrorOf(session, served, job.tries, result);
    if (result.category === 'accepted') this.trust(served);
    const isDoubtful = result.category === 'mailbox_not_found' && served >= this.trusted;
    // The random address of the catch-all test is nobody's.
    if (error !== null || !isDoubtful || job.question.isAlone === true) return error;
    job.wasRejectedLate = true;
    return 'late_rejection';
  }

  /** Learns from a recipient that has a final result in another session. */
  onRetried({ failedAfter, wasRejectedLate }: Job, { category }: SmtpProbeResult): void {
    if (wasRejectedLate && category === 'mailbox_not_found') this.trust(failedAfter);
    else this.limits.limitRecipients(failedAfter);
  }

  /** The server tells recipients apart after so many others of a session. */
  private trust(served: number): void {
    this.trusted = Math.max(this.trusted, served + 1);
  }
}
