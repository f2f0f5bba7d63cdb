import type { ProbeRequest } from '../probe.js';
import { MailboxSearch } from './mailbox-search.js';
import { withoutNames } from '../../replies/quoted-names.js';
import { retryDelaySeconds } from '../../replies/retry-delay.js';
import { isDeferral } from '../protocol/smtp-probe-result.js';

/** Added, because servers count whole seconds. */
const MARGIN_MS = 500;
const MIN_REMAINING_MS = 1_000;
/** The row of a list keeps its place in the pipeline meanwhile; a longer delay is left to the recheck. */
const MAX_LIST_DELAY_MS = 5_000;

/**
 * The delay in milliseconds before a server that deferred the recipient is probed again within the call.
 *
 * @param remainingMs of the call.
 * @returns null when no reply contains a delay, or when the delay does not fit into the call.
 */
export function deferralMs(
  { final }: Pick<MailboxSearch, 'final'>,
  { recipient, priority }: ProbeRequest,
  remainingMs: number,
): number | null {
  if (final === null || !isDeferral(final.result)) return null;
  const { reply } = final.result;
  if (reply === null || reply.code < 400 || reply.code >= 500) return null;
  const seconds = retryDelaySeconds(withoutNames(reply.text, { recipient: recipient.mailbox }));
  if (seconds === null) return null;
  const delayMs = seconds * 1_000 + MARGIN_MS;
  if (priority === 'list' && delayMs > MAX_LIST_DELAY_MS) return null;
  return delayMs + MIN_REMAINING_MS <= remainingMs ? delayMs : null;
}
