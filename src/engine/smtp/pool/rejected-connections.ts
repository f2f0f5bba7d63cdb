import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { ServerPermits } from '../../limits/connection-permits.js';
import type { LearnedLimits } from './learned-limits.js';
import { CLOSE_LAG_MS, type ProviderConnections } from './provider-connections.js';
import type { ServerRejections } from './server-rejections.js';
import { isOverload, type SmtpProbeResult } from '../protocol/smtp-probe-result.js';

/** Rejections in a row at one address that may be due to sessions at others of the provider. */
const MAX_ELSEWHERE = 5;
const MAX_CLOSE_TIMES = 100;

/** What a server may count when it rejects a connection. */
export interface CountedSessions {
  /** At the address, of this process, without those that are closed. */
  connected: number;
  /** At other addresses of the provider. */
  elsewhere: number;
}

/** Whether a rejected connection means that the server is full, or that it rejects us. */
export class RejectedConnections {
  /** Since the last greeting. */
  private inRow = 0;
  /** After the limit of the server was reached. */
  fullUntilMs = -Infinity;
  /** Times of the latest closed connections, which the server may still count. */
  closedAtMs: readonly number[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly limits: LearnedLimits,
    private readonly permits: ServerPermits,
    private readonly rejections: ServerRejections,
  ) {}

  onGreeted(): void {
    this.inRow = 0;
    this.rejections.onGreeted();
  }

  onClosed(): void {
    this.closedAtMs = [...this.closedAtMs.slice(-MAX_CLOSE_TIMES), this.clock.monotonicMs()];
  }

  onRejected(result: SmtpProbeResult, counted: CountedSessions, provider: ProviderConnections): void {
    const sinceMs = this.clock.monotonicMs() - CLOSE_LAG_MS;
    this.closedAtMs = this.closedAtMs.filter((atMs) => atMs > sinceMs);
    const connected = counted.connected + this.closedAtMs.length;
    const others = isOverload(result) ? this.permits.others : 0;
    const elsewhere = isOverload(result) ? counted.elsewhere : 0;
    this.inRow += 1;
    const isFull = connected + others > 0 || (elsewhere > 0 && this.inRow < MAX_ELSEWHERE);
    const isShared = this.permits.processes > 1 || provider.isShared;
    if (!isFull) return this.rejections.onRejected(result, isShared);
    // Other sessions are open: the server, or its provider, has reached its connection limit.
    if (elsewhere > 0) provider.limitConnections(connected, elsewhere);
    else this.limits.limitConnections(connected + others);
    const pauseMs = (CLOSE_LAG_MS / 10) * 2 ** Math.min(this.inRow - 1, 4);
    this.fullUntilMs = this.clock.monotonicMs() + pauseMs + randomInt(pauseMs);
  }
}
