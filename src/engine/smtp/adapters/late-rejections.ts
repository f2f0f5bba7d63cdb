import type { Clock } from '../../../kernel/clock.js';
import type { SmtpCategory } from '../../../kernel/verdict.js';
import type { LearnedLimits } from './learned-limits.js';
import type { ProviderConnections } from './provider-connections.js';
import type { Probed } from './session-error.js';
import type { RecipientQuestion } from './smtp-recipient.js';
import type { SmtpSession } from './smtp-session.js';

/** Recipients of a session that no known defence counts as harvesting. */
const ALWAYS_TRUSTED = 3;
/** As long as the limits of a server are remembered. */
const TTL_MS = 10 * 60_000;
/** Recipients that a new session rejected too, after which the rejections of a server are believed. */
const MIN_CONFIRMED = 3;

/** Such a rejection makes an address undeliverable. */
const UNDELIVERABLE: ReadonlySet<SmtpCategory> = new Set(['mailbox_not_found', 'mailbox_disabled']);

/** Recipients of a session, and how many of them were rejected. */
type Position = Pick<SmtpSession, 'served' | 'refused'>;

const NONE: Position = { served: -1, refused: -1 };

export interface LateRejectionsOptions {
  clock: Clock;
  limits: LearnedLimits;
  provider: ProviderConnections;
}

/**
 * Detects a server that rejects everybody after some recipients of a session, as a defence against
 * harvesting. Each of them then looks like an unknown user.
 *
 * A late rejection is held until the server accepts a recipient as late as that, after as many rejections,
 * in this session or another one. At the end of a session a recipient that the server has accepted before
 * is sent: if it is rejected now, those that are held are probed again in a new session, and sessions are
 * shorter from then on. See `docs/decisions/smtp.md`.
 */
export class LateRejections {
  private trusted = NONE;
  private accepted: RecipientQuestion | null = null;
  private confirmed = 0;
  private untilMs = -Infinity;

  constructor(private readonly options: LateRejectionsOptions) {}

  /** Those that count, and late rejections that do not yet. */
  divide(probed: readonly Probed[]): { certain: Probed[]; doubtful: Probed[] } {
    this.resetExpired();
    for (const each of probed) this.learn(each);
    const isDoubtful = (each: Probed) => this.isDoubtful(each);
    return { certain: probed.filter((each) => !isDoubtful(each)), doubtful: probed.filter(isDoubtful) };
  }

  /** Whether other recipients are sent before these are judged. */
  mayWait(held: readonly Probed[]): boolean {
    return held.length > 0 && held.every(({ job }) => job.priority === 'list');
  }

  /** Those that are held at the end of a session, with an error unless the session tells recipients apart. */
  async judge(session: SmtpSession, held: readonly Probed[]): Promise<readonly Probed[]> {
    if (await this.isWorking(session, held[0]!)) return held;
    if (this.accepted === null) for (const { job, served } of held) job.rejectedAfter = served;
    return held.map((each) => ({ ...each, error: 'late_rejection' }));
  }

  private learn({ job: { question, rejectedAfter }, result: { category }, served, refused }: Probed): void {
    if (category === 'accepted') {
      this.trust({ served, refused });
      // The random address and the postmaster of a test for the domain are alone.
      if (question.isAlone !== true) this.accepted = { ...question, transcript: undefined };
      if (rejectedAfter > 0) this.options.limits.limitRecipients(rejectedAfter);
    } else if (rejectedAfter > 0 && category !== null && UNDELIVERABLE.has(category)) {
      if (served < ALWAYS_TRUSTED) this.confirmed += 1;
    }
  }

  private isDoubtful({ result: { category }, served, refused }: Probed): boolean {
    if (category === null || !UNDELIVERABLE.has(category) || served < ALWAYS_TRUSTED) return false;
    return served > this.trusted.served || refused > this.trusted.refused;
  }

  private async isWorking(session: SmtpSession, { job, served }: Probed): Promise<boolean> {
    const { accepted } = this;
    // A person waits for a single call. Unless the first recipients all were unknown, one was accepted.
    if (accepted === null) return job.priority === 'single' || this.confirmed >= MIN_CONFIRMED;
    if (session.isClosed) return false;
    await this.waitForRate(job.signal);
    const position = { served: session.served, refused: session.refused };
    const [result] = await session.probe([{ question: accepted, signal: job.signal }]);
    if (result?.category === 'accepted') this.trust(position);
    else if (!job.signal.aborted) this.options.limits.limitRecipients(served);
    return result?.category === 'accepted';
  }

  /** The server counts this recipient too. */
  private async waitForRate(signal: AbortSignal): Promise<void> {
    const { provider, clock } = this.options;
    while (!signal.aborted && provider.take(1) === 0) await clock.pause(provider.waitMs, signal);
  }

  private trust({ served, refused }: Position): void {
    this.trusted = {
      served: Math.max(this.trusted.served, served),
      refused: Math.max(this.trusted.refused, refused),
    };
  }

  private resetExpired(): void {
    const nowMs = this.options.clock.monotonicMs();
    if (nowMs < this.untilMs) return;
    this.untilMs = nowMs + TTL_MS;
    this.trusted = NONE;
    this.accepted = null;
    this.confirmed = 0;
  }
}
