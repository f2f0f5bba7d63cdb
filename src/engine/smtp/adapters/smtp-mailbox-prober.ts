import { randomInt } from 'node:crypto';
import type { ProbeOutcome, ProbeRequest } from '../probe.js';
import { MailboxSearch, type SearchTools } from './mailbox-search.js';
import { outcomeOf } from './probe-outcome.js';
import { RandomProbes } from './random-probes.js';
import { SmtpSessionPool, type PoolOptions } from './smtp-session-pool.js';
import { withoutNames } from '../../replies/quoted-names.js';
import { retryDelaySeconds } from '../../replies/retry-delay.js';
import { isDeferral } from './smtp-probe-result.js';

export type SmtpMailboxProberOptions = PoolOptions & Omit<SearchTools, 'pool' | 'randomProbes'>;

/** When every server is overloaded, all are tried once more after this pause. */
const BUSY_PAUSE_MS = 1_000;

/** Probes mail servers up to RCPT. It never sends a message. */
export class SmtpMailboxProber {
  private readonly tools: SearchTools;
  private closing: Promise<void> | null = null;

  constructor(options: SmtpMailboxProberOptions) {
    const pool = new SmtpSessionPool(options);
    const randomProbes = new RandomProbes(options.clock, options.sharedState, options.egressName);
    this.tools = { ...options, pool, randomProbes };
  }

  /** @param signal aborts at the deadline and cancels every stage. Never rejects. */
  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const { clock } = this.tools;
    const search = () => new MailboxSearch(this.tools, request, signal).run();
    const first = await search();
    const remainingMs = request.deadlineMs - clock.monotonicMs();
    if (first.isBusy && remainingMs >= 2 * BUSY_PAUSE_MS) {
      await clock.pause(BUSY_PAUSE_MS / 2 + randomInt(BUSY_PAUSE_MS), signal);
      return outcomeOf(await search(), signal.aborted);
    }
    const delayMs = deferralMs(first, request, remainingMs);
    if (delayMs === null) return outcomeOf(first, signal.aborted);
    await first.deferRandom();
    // No session is held during the delay.
    await clock.pause(delayMs, signal);
    if (signal.aborted) return outcomeOf(first, true);
    const second = await search();
    second.addEarlier(first);
    return outcomeOf(second, signal.aborted);
  }

  close(): Promise<void> {
    return (this.closing ??= this.tools.pool.close());
  }
}

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
  { settled }: Pick<MailboxSearch, 'settled'>,
  { recipient, priority }: ProbeRequest,
  remainingMs: number,
): number | null {
  if (settled === null || !isDeferral(settled.result)) return null;
  const { reply } = settled.result;
  if (reply === null || reply.code < 400 || reply.code >= 500) return null;
  const seconds = retryDelaySeconds(withoutNames(reply.text, { recipient: recipient.mailbox }));
  if (seconds === null) return null;
  const delayMs = seconds * 1_000 + MARGIN_MS;
  if (priority === 'list' && delayMs > MAX_LIST_DELAY_MS) return null;
  return delayMs + MIN_REMAINING_MS <= remainingMs ? delayMs : null;
}
