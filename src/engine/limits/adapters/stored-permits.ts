import type { ConnectionUse } from '../connection-permits.js';
import type { PermitGrant, PermitRequest, PermitTimes } from '../permit-store.js';

/** The first interval of requests to the store while connections are needed; doubled each time. */
const FIRST_WAIT_MS = 250;
/** The longest wait of a process that holds no connection to the provider. */
const MAX_WAIT_WITHOUT_MS = 1_000;
/** A connection that was being greeted when the permits ended is closed so much later. */
const END_AGAIN_MS = 100;

/** The connections to one provider that this process may have, according to the latest response of the store. */
export class StoredPermits {
  use: ConnectionUse = {
    held: 0,
    open: 0,
    idle: 0,
    wanted: 0,
    queued: 0,
    blockedBy: null,
    limit: 0,
    isLearned: false,
  };
  others = 0;
  othersHeld = 0;
  /** Processes with work at the provider, as far as known. */
  processes = 1;
  total = Infinity;
  /** Until when connections may be opened and used, by the monotonic clock. */
  untilMs = -Infinity;
  /** When connections that are left must be closed. */
  endsAtMs = Infinity;
  syncedAtMs = -Infinity;
  /** A change is sent to the store at once. */
  isDirty = false;
  /** When a change that no request waits for is sent to the store. */
  reportAtMs = Infinity;
  /** When connections that were not granted are requested again. */
  requestAtMs = Infinity;
  private waitMs = FIRST_WAIT_MS;
  private latestGrant = 0;
  /**
   * The connections that the request in flight reported. The store may grant less than before, and counts no
   * more than these for this process, so no connection is added until it has responded.
   */
  private reported = Infinity;
  /** The connections that the store counts for this process. */
  private stored = 0;
  private isContended = false;

  constructor(
    readonly egress: string,
    readonly provider: string,
    readonly onChange: () => void,
    readonly onEnd: () => void,
    private readonly times: PermitTimes,
  ) {}

  /** Connections that may be held until the permits expire. */
  get granted(): number {
    return Math.min(this.latestGrant, this.reported);
  }

  get key(): string {
    return `${this.egress} ${this.provider}`;
  }

  /** Whether there are no connections here and in the store. */
  get isUnused(): boolean {
    return this.use.held === 0 && this.use.wanted === 0 && this.stored === 0 && !this.isDirty;
  }

  /** Whether another process waits for connections that the store counts for this process and that are not used. */
  get hasSurplus(): boolean {
    const { held, idle } = this.use;
    return this.isContended && Math.max(held - idle, Math.min(this.wanted, this.granted)) < this.stored;
  }

  /** A rejection has shown a lower limit than the store knows. */
  get isLowered(): boolean {
    return this.use.isLearned && this.use.limit < this.total && this.total < Infinity;
  }

  get wanted(): number {
    return this.isContended ? this.use.wanted - this.use.idle : this.use.wanted;
  }

  /** Whether more connections are needed than were granted. */
  get isWaiting(): boolean {
    return this.wanted > this.granted;
  }

  /** When something must be done if the permits are not renewed until then; Infinity: nothing. */
  dueAtMs(nowMs: number): number {
    if (nowMs < this.untilMs) return this.use.held + this.granted > 0 ? this.untilMs : Infinity;
    return this.use.held > 0 ? Math.max(this.endsAtMs, nowMs + END_AGAIN_MS) : Infinity;
  }

  /** Whether connections are needed, and the store has responded too late. */
  isLate(nowMs: number): boolean {
    return this.wanted > 0 && nowMs >= this.untilMs;
  }

  /** The permits were not renewed. */
  onDue(nowMs: number): void {
    if (this.use.held === 0 || nowMs < this.untilMs) return;
    this.onChange();
    if (nowMs >= this.endsAtMs) this.onEnd();
  }

  onSent({ held }: PermitRequest): void {
    this.isDirty = false;
    this.reportAtMs = Infinity;
    this.reported = held;
  }

  /** The store may have processed the request, although its response was lost. */
  onFailure(): void {
    this.latestGrant = this.granted;
    this.reported = Infinity;
  }

  onGrant({ held }: PermitRequest, grant: PermitGrant, sentAtMs: number): void {
    const { ttlMs, renewalMs, closingMs } = this.times;
    if (grant.granted > this.latestGrant || sentAtMs - this.syncedAtMs > renewalMs)
      this.waitMs = FIRST_WAIT_MS;
    this.latestGrant = grant.granted;
    this.reported = Infinity;
    this.stored = Math.max(grant.granted, held);
    this.others = grant.others;
    this.othersHeld = grant.othersHeld;
    this.processes = grant.processes;
    this.total = grant.total;
    this.isContended = grant.contended;
    this.untilMs = sentAtMs + ttlMs - closingMs;
    this.endsAtMs = sentAtMs + ttlMs - closingMs / 3;
    this.syncedAtMs = sentAtMs;
    this.requestAtMs = sentAtMs + this.waitMs;
    if (!this.isWaiting) return;
    this.waitMs = Math.min(2 * this.waitMs, grant.granted === 0 ? MAX_WAIT_WITHOUT_MS : renewalMs);
  }
}
