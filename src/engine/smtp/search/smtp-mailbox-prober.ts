import { randomInt } from 'node:crypto';
import type { ProbeOutcome, ProbeRequest } from '../probe.js';
import { MailboxSearch, type SearchTools } from './mailbox-search.js';
import { outcomeOf } from './probe-outcome.js';
import { RandomProbes } from './random-probes.js';
import { SmtpSessionPool, type PoolOptions } from '../pool/smtp-session-pool.js';
import { deferralMs } from './smtp-deferral.js';

export type SmtpMailboxProberOptions = PoolOptions & Omit<SearchTools, 'pool' | 'randomProbes'>;

/** When every server is overloaded, all are tried once more after this pause. */
const BUSY_PAUSE_MS = 1_000;

/** Probes mail servers up to RCPT. It never sends a message. */
export class SmtpMailboxProber {
  private readonly tools: SearchTools;
  private closing: Promise<void> | null = null;

  constructor(options: SmtpMailboxProberOptions) {
    const pool = new SmtpSessionPool(options);
    const randomProbes = new RandomProbes(options.clock);
    this.tools = { ...options, pool, randomProbes };
  }

  /** @param signal aborts at the deadline and cancels every stage. Never rejects. */
  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeOutcome> {
    const { clock } = this.tools;
    const search = await new MailboxSearch(this.tools, request, signal).run();
    const remainingMs = request.deadlineMs - clock.monotonicMs();
    if (search.isBusy && remainingMs >= 2 * BUSY_PAUSE_MS) {
      await clock.pause(BUSY_PAUSE_MS / 2 + randomInt(BUSY_PAUSE_MS), signal);
      return outcomeOf(await search.again(), signal.aborted);
    }
    const delayMs = deferralMs(search, request, remainingMs);
    if (delayMs !== null) {
      await search.deferRandom();
      // No session is held during the delay.
      await clock.pause(delayMs, signal);
    }
    const isRetried = delayMs !== null && !signal.aborted;
    return outcomeOf(isRetried ? await search.again() : search, signal.aborted);
  }

  /** The sessions that the provider was seen to allow; Infinity: no limit is known. */
  learnedConnections(provider: string): number {
    return this.tools.pool.learnedConnections(provider);
  }

  close(): Promise<void> {
    return (this.closing ??= this.tools.pool.close());
  }
}
