import type { Clock } from '../../../kernel/clock.js';
import type { SmtpSession } from '../protocol/smtp-session.js';

/** Servers that limit recipients per session allow more; a new connection costs two round trips. */
export const RECIPIENTS_PER_SESSION = 25;
/** Exim closes a session at its twelfth RSET, which it counts as a non-mail command. */
const RECIPIENTS_PER_EXIM_SESSION = 11;
/** Postfix delays replies after ten errors in a session and disconnects after twenty. */
const REJECTIONS_PER_SESSION = 9;
/** Observed limits expire after this time: load changes, and servers are reconfigured. */
const LIMITS_TTL_MS = 10 * 60_000;
/** A limit that is found again and again is published again after this time. */
const PUBLISH_AGAIN_MS = 60_000;

/** The limits of a server that processes share; null: no limit is known. */
export interface SharedLimits {
  connections: number | null;
  recipients: number | null;
  pipelined: number | null;
}

export class LearnedLimits {
  private maxConnections = Infinity;
  private maxRecipients = Infinity;
  private maxPipelined = Infinity;
  private untilMs = 0;
  /** When this process or another one lowered the limit of connections. */
  loweredAtMs = -Infinity;
  private published = '';
  private publishedMs = 0;

  constructor(
    private readonly clock: Clock,
    /** Called when a limit was found, or found again after a while. */
    private readonly onLearned: (limits: SharedLimits, ttlMs: number) => void = () => undefined,
  ) {}

  /** Applies the limits that another process has observed, if they are lower. */
  adopt({ connections, recipients, pipelined }: SharedLimits, ttlMs: number): void {
    this.resetExpired();
    if ((connections ?? Infinity) < this.maxConnections) this.lowerConnections(connections!);
    this.maxRecipients = Math.max(1, Math.min(this.maxRecipients, recipients ?? Infinity));
    this.maxPipelined = Math.max(1, Math.min(this.maxPipelined, pipelined ?? Infinity));
    this.untilMs = Math.max(this.untilMs, this.clock.monotonicMs() + Math.min(ttlMs, LIMITS_TTL_MS));
  }

  /** Infinity: no limit is known, as for the others. */
  get connections(): number {
    this.resetExpired();
    return this.maxConnections;
  }

  /** The server rejected a connection while this many were open. */
  limitConnections(connections: number): void {
    this.lowerConnections(connections);
    this.extendTtl();
  }

  /** The server ended a session after this many recipients. */
  limitRecipients(served: number): void {
    this.maxRecipients = Math.max(1, Math.min(this.maxRecipients, served));
    this.extendTtl();
  }

  get pipelineDepth(): number {
    this.resetExpired();
    return this.maxPipelined;
  }

  /** The server closed the connection during pipelining, and all replies were lost. */
  disablePipelining(): void {
    this.maxPipelined = 1;
    this.extendTtl();
  }

  /**
   * Recipients that the session can still probe if all of them are rejected.
   *
   * @param configured for a session.
   */
  remainingRecipients({ served, rejected, software }: SmtpSession, configured: number): number {
    this.resetExpired();
    const max = software === 'exim' ? RECIPIENTS_PER_EXIM_SESSION : configured;
    return Math.min(max - served, this.maxRecipients - served, REJECTIONS_PER_SESSION - rejected);
  }

  private lowerConnections(connections: number): void {
    this.maxConnections = Math.max(1, connections);
    this.loweredAtMs = this.clock.monotonicMs();
  }

  private extendTtl(): void {
    const nowMs = this.clock.monotonicMs();
    this.untilMs = nowMs + LIMITS_TTL_MS;
    const limits = {
      connections: orNull(this.maxConnections),
      recipients: orNull(this.maxRecipients),
      pipelined: orNull(this.maxPipelined),
    };
    const text = JSON.stringify(limits);
    if (text === this.published && nowMs < this.publishedMs + PUBLISH_AGAIN_MS) return;
    this.published = text;
    this.publishedMs = nowMs;
    this.onLearned(limits, LIMITS_TTL_MS);
  }

  private resetExpired(): void {
    if (this.clock.monotonicMs() < this.untilMs) return;
    this.maxConnections = Infinity;
    this.maxRecipients = Infinity;
    this.maxPipelined = Infinity;
  }
}

function orNull(limit: number): number | null {
  return limit === Infinity ? null : limit;
}
