import type { Clock } from '../../../kernel/clock.js';
import { ConnectionPermits, type ProviderPermits, type ConnectionUse } from '../connection-permits.js';
import {
  PERMIT_TIMES,
  type PermitGrant,
  type PermitRequest,
  type PermitStore,
  type PermitTimes,
} from '../permit-store.js';
import { StoredPermits } from './stored-permits.js';
import { least } from '../../../kernel/long-lists.js';

/** Providers in one request; their rows are locked until it ends. */
const MAX_BATCH = 200;
/** Changes that no request waits for are collected for this time. */
const COLLECT_MS = 100;
/** When a session is opened and the last request is older than this, the store is queried for the demand of others. */
const FRESH_MS = 500;
/** Requests that opened connections have allowed and that were not sent, at most. */
const MAX_CREDIT = 100;
/** How often an unavailable store is tried. */
const MAX_RETRY_MS = 1_000;

export interface SharedConnectionPermitsOptions {
  store: PermitStore;
  /** Identifies the process; unique. */
  process: string;
  clock: Clock;
  times?: PermitTimes;
  /** Called when the store fails, and with null when it responds again. */
  onChange?: (error: unknown) => void;
}

/**
 * The permits of this process in a store that all processes share.
 *
 * One request to the store is in flight at a time; it carries all changes. If the store does not renew the permits
 * in time, the process closes its connections before they end, and opens none until the store responds. Their end is
 * measured with the monotonic clock from before the request was sent, so no other process can have been given the
 * permits meanwhile.
 */
export class SharedConnectionPermits extends ConnectionPermits {
  private readonly all = new Map<string, StoredPermits>();
  private readonly times: PermitTimes;
  private syncing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private timerDueMs = Infinity;
  private renewAtMs = Infinity;
  private isFailing = false;
  /** For permits that are not renewed. */
  private endTimer: NodeJS.Timeout | null = null;
  private endDueMs = Infinity;
  /** One request for each opened connection, besides the renewals. */
  private credit = 0;
  private isClosed = false;

  constructor(private readonly options: SharedConnectionPermitsOptions) {
    super();
    this.times = options.times ?? PERMIT_TIMES;
  }

  override permitsFor(
    egress: string,
    provider: string,
    onChange: () => void,
    onEnd: () => void = () => undefined,
  ): ProviderPermits {
    const permits = new StoredPermits(egress, provider, onChange, onEnd, this.times);
    const allowed = () => this.allowedAt(permits);
    return {
      get allowed() {
        return allowed();
      },
      get others() {
        return permits.others;
      },
      get othersHeld() {
        return permits.othersHeld;
      },
      get processes() {
        return Math.max(1, permits.processes);
      },
      get total() {
        return permits.total;
      },
      update: (use) => this.update(permits, use),
      onOpening: () => this.onOpening(permits),
    };
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.syncing;
    if (this.endTimer !== null) clearTimeout(this.endTimer);
    for (const permits of this.all.values()) {
      const { held } = permits.use;
      permits.use = { ...permits.use, idle: 0, wanted: held, queued: 0, blockedBy: null };
    }
    if (!this.isFailing) await this.sync([...this.all.values()]);
  }

  private get retryMs(): number {
    return Math.min(MAX_RETRY_MS, this.times.renewalMs / 2);
  }

  private get nowMs(): number {
    return this.options.clock.monotonicMs();
  }

  private allowedAt(permits: StoredPermits): number {
    return this.nowMs < permits.untilMs ? permits.granted : 0;
  }

  private update(permits: StoredPermits, use: ConnectionUse): void {
    const before = permits.use;
    permits.use = use;
    if (use.wanted > 0 || use.held > 0) this.all.set(permits.key, permits);
    const isWaiting = use.wanted > this.allowedAt(permits);
    // Others, or this process, may get another number of connections by what a greeting or a rejection has shown.
    const isNews = permits.isLowered || (isWaiting && use.isLearned && use.open > before.open);
    if (isNews || (isWaiting && use.wanted > before.wanted)) this.request(permits, isNews);
    else if (permits.hasSurplus && this.credit > 0) this.collect(permits);
    else if (use.idle > before.idle) this.refresh(permits);
  }

  private onOpening(permits: StoredPermits): void {
    this.credit = Math.min(this.credit + 1, MAX_CREDIT);
    this.refresh(permits);
  }

  /** When sessions are replaced or idle, to detect early that another process requests a share. */
  private refresh(permits: StoredPermits): void {
    if (this.credit > 0) this.collect(permits, Math.max(this.nowMs, permits.syncedAtMs + FRESH_MS));
  }

  /** At once, but without news after a denial only when the next attempt is due. */
  private request(permits: StoredPermits, isNews: boolean): void {
    const { nowMs } = this;
    const isDenied = permits.granted < permits.use.wanted && nowMs < permits.untilMs;
    if (isDenied && !isNews && nowMs < permits.requestAtMs) return this.runAt(permits.requestAtMs);
    permits.isDirty = true;
    this.runAt(this.isFailing ? nowMs + this.retryMs : nowMs);
  }

  private collect(permits: StoredPermits, fromMs = this.nowMs): void {
    permits.reportAtMs = Math.min(permits.reportAtMs, fromMs + COLLECT_MS);
    this.runAt(this.isFailing ? this.nowMs + this.retryMs : permits.reportAtMs);
  }

  /** Runs `tick` at that time, or earlier if it was already to run. */
  private runAt(dueMs: number): void {
    const { nowMs } = this;
    // A clock that a test has advanced may be past the time of a timer that has not fired.
    const isOverdue = nowMs >= this.timerDueMs;
    if (this.isClosed || (dueMs >= this.timerDueMs && !isOverdue)) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerDueMs = Math.min(dueMs, this.timerDueMs);
    this.timer = setTimeout(() => this.tick(), Math.max(0, this.timerDueMs - nowMs)).unref();
  }

  private tick(): void {
    this.timer = null;
    this.timerDueMs = Infinity;
    // The request in flight is followed by another one.
    if (this.syncing !== null || this.isClosed) return;
    const isRenewal = this.nowMs >= this.renewAtMs;
    if (isRenewal) this.renewAtMs = Infinity;
    const soonMs = this.nowMs + COLLECT_MS;
    const isDue = (permits: StoredPermits) =>
      isRenewal ||
      permits.isDirty ||
      permits.isLate(this.nowMs) ||
      permits.reportAtMs <= soonMs ||
      (permits.isWaiting && permits.requestAtMs <= soonMs);
    const due = [...this.all.values()].filter(isDue);
    // Repeated requests while waiting have a separate schedule.
    if (!isRenewal && due.some(({ isDirty, isWaiting }) => isDirty || !isWaiting))
      this.credit = Math.max(this.credit - 1, -MAX_CREDIT);
    this.syncing = this.sync(due).finally(() => {
      this.syncing = null;
      this.runNext();
    });
  }

  /** Schedules the next request: renewals, and what changed during the last one. */
  private runNext(): void {
    for (const [key, permits] of this.all) if (permits.isUnused) this.all.delete(key);
    if (this.all.size === 0) {
      this.renewAtMs = Infinity;
      return;
    }
    const { nowMs } = this;
    const all = [...this.all.values()];
    if (this.renewAtMs === Infinity) this.renewAtMs = nowMs + this.times.renewalMs;
    this.runAt(this.renewAtMs);
    if (this.isFailing) return this.runAt(nowMs + this.retryMs);
    if (all.some((permits) => permits.isDirty || permits.isLate(nowMs))) return this.runAt(nowMs);
    for (const { isWaiting, requestAtMs, reportAtMs } of all)
      this.runAt(isWaiting ? Math.min(requestAtMs, reportAtMs) : reportAtMs);
  }

  private async sync(due: readonly StoredPermits[]): Promise<void> {
    for (let from = 0; from < due.length; from += MAX_BATCH) {
      const batch = due.slice(from, from + MAX_BATCH);
      const sentAtMs = this.nowMs;
      const requests = batch.map((permits) => this.requestFor(permits));
      for (const [n, permits] of batch.entries()) permits.onSent(requests[n]!);
      try {
        const grants = await this.options.store.sync(this.options.process, requests);
        this.onResponse(batch, requests, grants, sentAtMs);
      } catch (error) {
        this.onFailure(error);
        return;
      }
    }
  }

  private requestFor(permits: StoredPermits): PermitRequest {
    const {
      egress,
      provider,
      use: { held, open, queued, blockedBy, limit, isLearned },
    } = permits;
    return { egress, provider, held, open, wanted: permits.wanted, queued, blockedBy, limit, isLearned };
  }

  private onResponse(
    batch: readonly StoredPermits[],
    requests: readonly PermitRequest[],
    grants: readonly PermitGrant[],
    sentAtMs: number,
  ): void {
    if (this.isFailing) this.options.onChange?.(null);
    this.isFailing = false;
    for (const [n, permits] of batch.entries()) {
      permits.onGrant(requests[n]!, grants[n]!, sentAtMs);
      permits.onChange();
    }
    this.watchEnds();
  }

  /** Sets the timer for the permits that end first. */
  private watchEnds(): void {
    const { nowMs } = this;
    const dueMs = least(
      [...this.all.values()].map((permits) => permits.dueAtMs(nowMs)),
      Infinity,
    );
    if (dueMs === this.endDueMs) return;
    if (this.endTimer !== null) clearTimeout(this.endTimer);
    this.endDueMs = dueMs;
    this.endTimer =
      dueMs === Infinity ? null : setTimeout(() => this.onEnds(), Math.max(0, dueMs - nowMs)).unref();
  }

  private onEnds(): void {
    this.endDueMs = Infinity;
    for (const permits of this.all.values()) permits.onDue(this.nowMs);
    this.watchEnds();
  }

  private onFailure(error: unknown): void {
    if (!this.isFailing) this.options.onChange?.(error);
    this.isFailing = true;
    for (const permits of this.all.values()) {
      // Everything is reported when the store responds again, because it may have lost its data.
      permits.isDirty = true;
      permits.onFailure();
      permits.onChange();
    }
  }
}
