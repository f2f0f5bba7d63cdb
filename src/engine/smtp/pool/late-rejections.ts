import type { Clock } from '../../../kernel/clock.js';
import type { SmtpCategory } from '../../../kernel/verdict.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import type { LearnedLimits } from './learned-limits.js';
import type { Probed } from './pool-request.js';
import type { Recipient } from '../protocol/smtp-conversation.js';
import type { SmtpSession } from '../protocol/smtp-session.js';
import { append } from '../../../kernel/long-lists.js';

/** Recipients of a session that no known defence counts as harvesting. */
const ALWAYS_TRUSTED = 3;
/** As long as the limits of a server are remembered. */
const TTL_MS = 10 * 60_000;
/** Teams whose recipients one server has seen. */
const MAX_TEAMS = 100;
/** Recipients that a new session rejected too, after which the rejections of a server are believed. */
const MIN_CONFIRMED = 3;

/** Such a rejection makes an address undeliverable. */
const UNDELIVERABLE: ReadonlySet<SmtpCategory> = new Set(['mailbox_not_found', 'mailbox_disabled']);

/** Recipients of a session, and how many of them were rejected. */
type Position = Pick<SmtpSession, 'served' | 'rejected'>;

/** What one team's recipients have shown of a server. */
interface Observations {
  /** The latest position at which the server has accepted a recipient. */
  trusted: Position;
  /** A recipient that the server has accepted. */
  accepted: Recipient | null;
  /** Held rejections that a new session gave too. */
  confirmed: number;
  untilMs: number;
}

/**
 * Detects a server that rejects everybody after some recipients of a session, as a defence against
 * harvesting. Each of them then looks like an unknown user.
 *
 * A late rejection is held until the server accepts a recipient as late as that, after as many rejections,
 * in this session or another one. At the end of a session a recipient that the server has accepted before
 * is sent: if it is rejected now, those that are held are probed again in a new session, and sessions are
 * shorter from then on. A team's rejections are judged by its own recipients only, so that no team
 * changes the verdicts of another. See `docs/decisions/smtp.md`.
 */
export class LateRejections {
  /** By team, the least recently used first. Not an LRUCache, which allocates its maximum for each of thousands of servers. */
  private readonly observed = new Map<string, Observations>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: LearnedLimits,
  ) {}

  /** Those that count, and late rejections that do not yet. */
  divide(probed: readonly Probed[]): { certain: Probed[]; doubtful: Probed[] } {
    for (const item of probed) this.learn(item);
    const isDoubtful = (item: Probed) => this.isDoubtful(item);
    return { certain: probed.filter((item) => !isDoubtful(item)), doubtful: probed.filter(isDoubtful) };
  }

  /** Whether other recipients are sent before these are judged. */
  mayWait(held: readonly Probed[]): boolean {
    return held.length > 0 && held.every(({ job }) => job.priority === 'list');
  }

  /** Those that are held at the end of a session, with an error unless the session tells recipients apart. */
  async judge(session: SmtpSession, held: readonly Probed[]): Promise<readonly Probed[]> {
    const judged: Probed[] = [];
    for (const team of new Set(held.map(({ job }) => job.team))) {
      const ofTeam = held.filter(({ job }) => job.team === team);
      append(judged, await this.judgeOf(session, ofTeam));
    }
    return judged;
  }

  private async judgeOf(session: SmtpSession, held: readonly Probed[]): Promise<readonly Probed[]> {
    const seen = this.observationsOf(held[0]!.job);
    if (await this.isWorking(session, held[0]!, seen)) return held;
    if (seen.accepted === null) for (const { job, served } of held) job.rejectedAfter = served;
    return held.map((item) => ({ ...item, error: 'late_rejection' }));
  }

  private learn({ job, result: { category }, served, rejected }: Probed): void {
    const seen = this.observationsOf(job);
    if (category === 'accepted') {
      trust(seen, { served, rejected });
      // The random address and the postmaster of a test for the domain are alone.
      if (job.recipient.isAlone !== true) seen.accepted = { ...job.recipient, transcript: undefined };
      if (job.rejectedAfter > 0) this.limits.limitRecipients(job.rejectedAfter);
    } else if (job.rejectedAfter > 0 && category !== null && UNDELIVERABLE.has(category)) {
      if (served < ALWAYS_TRUSTED) seen.confirmed += 1;
    }
  }

  private isDoubtful({ job, result: { category }, served, rejected }: Probed): boolean {
    if (category === null || !UNDELIVERABLE.has(category) || served < ALWAYS_TRUSTED) return false;
    const { trusted } = this.observationsOf(job);
    return served > trusted.served || rejected > trusted.rejected;
  }

  private async isWorking(
    session: SmtpSession,
    { job, served }: Probed,
    seen: Observations,
  ): Promise<boolean> {
    const { accepted, confirmed } = seen;
    // A person waits for a single call. Unless the first recipients all were unknown, one was accepted.
    if (accepted === null) return job.priority === 'single' || confirmed >= MIN_CONFIRMED;
    if (session.isClosed) return false;
    const position = { served: session.served, rejected: session.rejected };
    const [result] = await session.probe([{ recipient: accepted, signal: job.signal }]);
    if (result?.category === 'accepted') trust(seen, position);
    else if (!job.signal.aborted) this.limits.limitRecipients(served);
    return result?.category === 'accepted';
  }

  private observationsOf({ team }: Requester): Observations {
    const nowMs = this.clock.monotonicMs();
    const known = this.observed.get(team);
    const isKnown = known !== undefined && known.untilMs > nowMs;
    const seen: Observations = isKnown
      ? known
      : { trusted: { served: -1, rejected: -1 }, accepted: null, confirmed: 0, untilMs: nowMs + TTL_MS };
    this.observed.delete(team);
    this.observed.set(team, seen);
    const [oldest = ''] = this.observed.keys();
    if (this.observed.size > MAX_TEAMS) this.observed.delete(oldest);
    return seen;
  }
}

function trust(seen: Observations, { served, rejected }: Position): void {
  const { trusted } = seen;
  seen.trusted = {
    served: Math.max(trusted.served, served),
    rejected: Math.max(trusted.rejected, rejected),
  };
}
