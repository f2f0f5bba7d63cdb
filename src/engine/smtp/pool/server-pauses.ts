import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import { isOverload, type SmtpProbeResult } from '../protocol/smtp-probe-result.js';

/** Pause after a server rejects a connection, doubled each time. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** The sum of six pauses, about 15 s. */
const MAX_RETRY_PAUSE_MS = 16_000;
/** How long an unreachable server is not dialled again. */
const UNREACHABLE_MS = 10_000;
/** A shorter pause would be over before other processes know of it. */
const MIN_SHARED_PAUSE_MS = 2_000;
/** Pause after the first rejection by a full server, doubled four times. */
const FIRST_FULL_PAUSE_MS = 200;
/** Processes do not all dial at the same moment after a pause. */
const MAX_JITTER_MS = 500;

/** A pause that other processes read. It ends when the entry expires. */
export interface SharedPause {
  /** From the rejection that began it to its end. */
  lengthMs: number;
  /** The pause after the next rejection, without jitter. */
  nextMs: number;
  /** The result of requests during the pause, without texts of the server; null: they wait. */
  result: SmtpProbeResult | null;
}

interface Pause {
  untilMs: number;
  result: SmtpProbeResult | null;
}

/** The pauses of one server that rejects connections, of this process or adopted from another one. */
export class ServerPauses {
  /** Since the last greeting. */
  rejectedInRow = 0;
  private nextMs = FIRST_PAUSE_MS;
  private greetedAtMs = -Infinity;
  private pause: Pause = { untilMs: -Infinity, result: null };
  private fullUntilMs = -Infinity;
  /** Where another process is in the sequence of pauses. */
  private adopted = { nextMs: FIRST_PAUSE_MS, untilMs: -Infinity };

  constructor(
    private readonly clock: Clock,
    /** Called when a pause begins that others should respect. */
    private readonly onPaused: (pause: SharedPause, ttlMs: number) => void = () => undefined,
  ) {}

  /** When the server may be dialled again, in milliseconds of the monotonic clock. */
  get pausedUntilMs(): number {
    return Math.max(this.pause.untilMs, this.fullUntilMs);
  }

  /** The result of requests without a session during the pause; null: they wait. */
  get result(): SmtpProbeResult | null {
    return this.clock.monotonicMs() < this.pause.untilMs ? this.pause.result : null;
  }

  /** The server works: no pause is left. */
  onGreeted(): void {
    this.rejectedInRow = 0;
    this.nextMs = FIRST_PAUSE_MS;
    this.greetedAtMs = this.clock.monotonicMs();
    this.pause = { untilMs: -Infinity, result: null };
    this.adopted = { nextMs: FIRST_PAUSE_MS, untilMs: -Infinity };
  }

  /** The server has rejected a connection because it has as many as it allows: requests wait for a moment. */
  onFull(): void {
    const pauseMs = FIRST_FULL_PAUSE_MS * 2 ** Math.min(this.rejectedInRow, 4);
    this.rejectedInRow += 1;
    this.fullUntilMs = this.clock.monotonicMs() + pauseMs + randomInt(pauseMs);
  }

  /**
   * The server has rejected a connection. Requests wait while it has done so only for a short time, is
   * overloaded, and has greeted us before or may be busy with other processes. Otherwise they get its reply.
   */
  onRejected(result: SmtpProbeResult, isShared: boolean): void {
    this.rejectedInRow += 1;
    const mayWork = isOverload(result) && (this.greetedAtMs > -Infinity || isShared);
    const isWaiting = mayWork && this.stepMs < MAX_RETRY_PAUSE_MS;
    const resultOfPause = isWaiting ? null : result;
    if (result.end === 'no_connect') return this.begin(UNREACHABLE_MS, resultOfPause);
    const { stepMs } = this;
    this.nextMs = Math.min(2 * stepMs, MAX_PAUSE_MS);
    const lengthMs = stepMs / 2 + randomInt(stepMs);
    this.begin(lengthMs, resultOfPause);
    // Without a reply the cause may be in the network of this process.
    if (result.reply === null || lengthMs < MIN_SHARED_PAUSE_MS) return;
    const shared = resultOfPause && withoutTexts(resultOfPause);
    this.onPaused({ lengthMs, nextMs: this.nextMs, result: shared }, lengthMs);
  }

  /** Another process was rejected. The later end applies. */
  adopt({ lengthMs, nextMs, result }: SharedPause, ttlMs: number): void {
    const nowMs = this.clock.monotonicMs();
    const leftMs = Math.min(ttlMs, 2 * MAX_PAUSE_MS);
    // The server has greeted this process since.
    if (this.greetedAtMs > nowMs + leftMs - lengthMs) return;
    const untilMs = nowMs + leftMs + randomInt(MAX_JITTER_MS);
    this.adopted = { nextMs: Math.min(nextMs, MAX_PAUSE_MS), untilMs };
    if (untilMs > this.pause.untilMs) this.pause = { untilMs, result };
  }

  /** The next pause, without jitter. An adopted sequence expires one pause after its last one. */
  private get stepMs(): number {
    const { nextMs, untilMs } = this.adopted;
    const isRecent = this.clock.monotonicMs() < untilMs + nextMs;
    return isRecent ? Math.max(this.nextMs, nextMs) : this.nextMs;
  }

  private begin(lengthMs: number, result: SmtpProbeResult | null): void {
    this.pause = { untilMs: Math.max(this.pause.untilMs, this.clock.monotonicMs() + lengthMs), result };
  }
}

function withoutTexts({ reply, beginning: _, ...result }: SmtpProbeResult): SmtpProbeResult {
  return { ...result, reply: reply && { ...reply, lines: [], text: '' } };
}
