import type { Clock } from '../../../kernel/clock.js';
import { ConnectionPermits, type ServerPermits, type ConnectionUse } from '../connection-permits.js';
import {
  PERMIT_TIMES,
  type PermitGrant,
  type PermitRequest,
  type PermitStore,
  type PermitTimes,
} from '../permit-store.js';
import { StoredPermits } from './stored-permits.js';

/** Servers in one request; their rows are locked until it ends. */
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
 * One request to the store is in flight at a time; it carries all changes. If the store is unavailable,
 * the process uses its permits until they expire, and then the share that it would have got: the limit
 * divided by the processes that it last knew of. That is measured with the monotonic clock from before
 * the request was sent, so no other process can have been given the permits meanwhile.
 */
export class SharedConnectionPermits extends ConnectionPermits {
  private readonly servers = new Map<string, StoredPermits>();
  private readonly times: PermitTimes;
  private syncing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private timerDueMs = Infinity;
  private renewAtMs = Infinity;
  private isFailing = false;
  private respondedAtMs = -Infinity;
  /** Until then no more than the own share is requested: others may not have reported theirs again. */
  private cautiousUntilMs = -Infinity;
  /** One request for each opened connection, besides the renewals. */
  private credit = 0;
  private isClosed = false;

  constructor(private readonly options: SharedConnectionPermitsOptions) {
    super();
    this.times = options.times ?? PERMIT_TIMES;
  }

  override permitsFor(egress: string, server: string, onChange: () => void): ServerPermits {
    const permits = new StoredPermits(egress, server, onChange, this.times);
    const allowed = () => this.allowedAt(permits);
    return {
      get allowed() {
        return allowed();
      },
      get others() {
        return permits.others;
      },
      get processes() {
        return Math.max(1, permits.processes ?? 1);
      },
      update: (use) => this.update(permits, use),
      onOpening: () => this.onOpening(permits),
    };
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.syncing;
    for (const server of this.servers.values())
      server.use = { ...server.use, held: 0, open: 0, idle: 0, wanted: 0, queued: 0 };
    if (!this.isFailing) await this.sync([...this.servers.values()]);
  }

  private get retryMs(): number {
    return Math.min(MAX_RETRY_MS, this.times.renewalMs / 2);
  }

  /** While all processes report again, each requests no more than its share. */
  private get isCautious(): boolean {
    return this.isFailing || this.nowMs < this.cautiousUntilMs;
  }

  private get nowMs(): number {
    return this.options.clock.monotonicMs();
  }

  private allowedAt(server: StoredPermits): number {
    const { nowMs } = this;
    if (nowMs < server.untilMs) return server.granted;
    if (!this.isFailing) return 0;
    // Another process may have renewed its permits up to a renewal period later, and takes a while to close sessions.
    const { ttlMs, renewalMs } = this.times;
    if (nowMs < this.respondedAtMs + ttlMs + 2 * renewalMs) return server.processes === null ? 1 : 0;
    return this.shareOf(server);
  }

  /** What this process uses without the store. */
  private shareOf({ use, processes }: StoredPermits): number {
    const most =
      processes ?? Math.max(0, ...[...this.servers.values()].map((server) => server.processes ?? 0));
    return most === 0 ? 1 : Math.max(1, Math.floor(use.limit / most));
  }

  private update(server: StoredPermits, use: ConnectionUse): void {
    const before = server.use;
    server.use = use;
    if (use.wanted > 0 || use.held > 0) this.servers.set(server.key, server);
    const isWaiting = use.wanted > this.allowedAt(server);
    if (isWaiting && use.wanted > before.wanted) this.request(server);
    else if (server.hasSurplus && this.credit > 0) this.collect(server);
    else if (use.idle > before.idle) this.refresh(server);
  }

  private onOpening(server: StoredPermits): void {
    this.credit = Math.min(this.credit + 1, MAX_CREDIT);
    this.refresh(server);
  }

  /** When sessions are replaced or idle, to detect early that another process requests a share. */
  private refresh(server: StoredPermits): void {
    if (this.credit > 0) this.collect(server, Math.max(this.nowMs, server.syncedAtMs + FRESH_MS));
  }

  /** At once, but after a denial only when the next attempt is due. */
  private request(server: StoredPermits): void {
    const { nowMs } = this;
    const isDenied = server.granted < server.use.wanted && nowMs < server.untilMs;
    if (isDenied && nowMs < server.requestAtMs) return this.runAt(server.requestAtMs);
    server.isDirty = true;
    this.runAt(this.isFailing ? nowMs + this.retryMs : nowMs);
  }

  private collect(server: StoredPermits, fromMs = this.nowMs): void {
    server.reportAtMs = Math.min(server.reportAtMs, fromMs + COLLECT_MS);
    this.runAt(this.isFailing ? this.nowMs + this.retryMs : server.reportAtMs);
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
    const isDue = (server: StoredPermits) =>
      isRenewal ||
      server.isDirty ||
      server.reportAtMs <= soonMs ||
      (server.isWaiting && server.requestAtMs <= soonMs);
    const due = [...this.servers.values()].filter(isDue);
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
    for (const [key, server] of this.servers) if (server.isUnused) this.servers.delete(key);
    if (this.servers.size === 0) {
      this.renewAtMs = Infinity;
      return;
    }
    const { nowMs } = this;
    const servers = [...this.servers.values()];
    if (this.renewAtMs === Infinity) this.renewAtMs = nowMs + this.times.renewalMs;
    this.runAt(this.renewAtMs);
    if (this.isFailing) return this.runAt(nowMs + this.retryMs);
    if (servers.some(({ isDirty }) => isDirty)) return this.runAt(nowMs);
    for (const { isWaiting, requestAtMs, reportAtMs } of servers)
      this.runAt(isWaiting ? Math.min(requestAtMs, reportAtMs) : reportAtMs);
  }

  private async sync(due: readonly StoredPermits[]): Promise<void> {
    for (let from = 0; from < due.length; from += MAX_BATCH) {
      const batch = due.slice(from, from + MAX_BATCH);
      const sentAtMs = this.nowMs;
      const requests = batch.map((server) => this.requestFor(server));
      for (const [n, server] of batch.entries()) server.onSent(requests[n]!);
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
      server,
      use: { held, open, queued, limit },
    } = permits;
    const wanted = this.isCautious ? Math.min(permits.wanted, this.shareOf(permits)) : permits.wanted;
    return { egress, server, held, open, wanted, queued, limit };
  }

  private onResponse(
    batch: readonly StoredPermits[],
    requests: readonly PermitRequest[],
    grants: readonly PermitGrant[],
    sentAtMs: number,
  ): void {
    this.respondedAtMs = sentAtMs;
    if (this.isFailing) {
      this.isFailing = false;
      this.cautiousUntilMs = this.nowMs + this.times.renewalMs;
      this.options.onChange?.(null);
    }
    for (const [n, server] of batch.entries()) {
      server.onGrant(requests[n]!, grants[n]!, sentAtMs, this.isCautious);
      server.onChange();
    }
  }

  private onFailure(error: unknown): void {
    if (!this.isFailing) this.options.onChange?.(error);
    this.isFailing = true;
    for (const server of this.servers.values()) {
      // Everything is reported when the store responds again, because it may have lost its data.
      server.isDirty = true;
      server.onFailure();
      server.onChange();
    }
  }
}
