import type { Clock } from '../../../kernel/clock.js';
import type { ServerPermits, ConnectionPermits, ConnectionUse } from '../../limits/connection-permits.js';
import { PROVIDER_PREFIX, type Provider } from '../../providers/session-limits.js';
import type { LearnedLimits } from './learned-limits.js';

/** The pool of one address of the provider. */
export interface ProviderMember {
  /** Opens what may be opened now. */
  serve(): void;
  /** Closes the session that has been idle for longest. */
  retireIdle(): void;
}

/** The connections of a member, and its demand. */
export interface MemberUse extends Omit<ConnectionUse, 'limit'> {
  /** Of `held`, connections that are not being closed. */
  active: number;
  /** Times of the latest closed connections, which the provider may still count. */
  closedAtMs: readonly number[];
  /** Another connection is possible at the address. */
  mayOpen: boolean;
  /** A single call waits, and no session is open. */
  isUrgent: boolean;
}

/** How long a server may continue to count a closed connection. */
export const CLOSE_LAG_MS = 2_000;
const MINUTE_MS = 60_000;
/** Of a minute: more would be a burst after a pause. */
const MAX_BURST = 1 / 12;
const ROUNDING = 1e-9;

/** The connections of this process to all addresses of one provider, through one egress. */
export class ProviderConnections {
  /** Members with a connection or a demand; those without a connection in the order in which they are next. */
  private readonly uses = new Map<ProviderMember, MemberUse>();
  private readonly permits: ServerPermits;
  /** The most sessions of all processes together, as far as known. */
  private mostOpen = 0;
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private readonly provider: Provider,
    egressName: string,
    private readonly limits: LearnedLimits,
    permits: ConnectionPermits,
    private readonly clock: Clock,
  ) {
    limits.configured = { ...limits.configured, connections: provider.connections };
    const serveAll = () => [...this.uses.keys()].forEach((member) => member.serve());
    this.permits = permits.permitsFor(egressName, `${PROVIDER_PREFIX}${provider.name}`, serveAll);
    this.tokens = (provider.perMinute ?? 0) * MAX_BURST;
    this.filledAtMs = clock.monotonicMs();
  }

  get name(): string {
    return this.provider.name;
  }

  get isUnknown(): boolean {
    return this.provider.isUnknown;
  }

  /** Must be called when the member belongs to another provider. */
  remove(member: ProviderMember): void {
    this.uses.delete(member);
    this.update();
    queueMicrotask(() => this.serveOthers(member));
  }

  /** Must be called after each change. */
  report(member: ProviderMember, use: MemberUse): void {
    const before = this.uses.get(member);
    // A member that has lost its last connection is the last one to get another.
    if (before !== undefined && before.held > 0 && use.held === 0) this.uses.delete(member);
    if (use.held + use.wanted > 0) this.uses.set(member, use);
    else this.uses.delete(member);
    this.update();
    if (before !== undefined && use.active < before.active) queueMicrotask(() => this.serveOthers(member));
  }

  /** Whether the member may open a connection. Those without a connection come first. */
  mayOpen(member: ProviderMember): boolean {
    const own = this.uses.get(member);
    const free = this.allowed - this.sum('held');
    if (free <= 0) {
      if ((own?.held ?? 0) === 0) this.makeRoom(member);
      return false;
    }
    const starved = [...this.uses].filter(([, use]) => isStarved(use)).map(([other]) => other);
    const ahead = (own?.held ?? 0) > 0 ? starved.length : Math.max(0, starved.indexOf(member));
    return free > ahead && !this.isLearning(member);
  }

  /** Whether the member must close a session that becomes free. */
  isOver(member: ProviderMember): boolean {
    if (this.sum('active') > this.allowed) return true;
    if (this.allowed > this.sum('held')) return false;
    return [...this.uses].some(([other, use]) => other !== member && isStarved(use) && use.isUrgent);
  }

  /** Must be called when a connection is about to be opened. */
  onOpening(): void {
    this.permits.onOpening();
  }

  /** Sessions at other addresses that the provider may count, also those of other processes. */
  countedElsewhere(member: ProviderMember): number {
    const sinceMs = this.clock.monotonicMs() - CLOSE_LAG_MS;
    let count = this.permits.others;
    for (const [other, { held, closedAtMs }] of this.uses)
      if (other !== member) count += held + closedAtMs.filter((atMs) => atMs > sinceMs).length;
    return count;
  }

  /** Other processes have work at the provider. */
  get isShared(): boolean {
    return this.permits.processes > 1;
  }

  /** The provider rejected a connection, with so many at the address. */
  limitConnections(atAddress: number, elsewhere: number): void {
    const { limits, clock, provider } = this;
    const counted = atAddress + elsewhere;
    if (!this.isShared) {
      // Some of those counted may be closed. An unknown provider has shown how many it allows at a time.
      const isShown = provider.isUnknown && this.mostOpen > 0;
      return limits.limitConnections(isShown ? Math.min(counted, this.mostOpen) : counted);
    }
    // Other processes did not know of the limit when they opened connections that are rejected now.
    if (clock.monotonicMs() < limits.loweredAtMs + CLOSE_LAG_MS) return;
    // What they have opened since their last report is not known, and a limit that is too low stays for all.
    limits.limitConnections(Math.max(this.limit - 1, counted));
  }

  /** Recipients that may be probed now, of at most `max`. */
  acquire(max: number): number {
    const { perMinute } = this.provider;
    if (perMinute === null) return max;
    const count = Math.min(max, Math.floor(this.fill(perMinute)));
    this.tokens -= count;
    return count;
  }

  /** Until the next recipient may be probed. */
  get waitMs(): number {
    const { perMinute } = this.provider;
    if (perMinute === null) return 0;
    const missing = 1 - this.fill(perMinute);
    return missing <= 0 ? 0 : Math.ceil((missing * MINUTE_MS) / this.rateOf(perMinute));
  }

  /** Each process has an equal part of the rate. */
  private rateOf(perMinute: number): number {
    return perMinute / this.permits.processes;
  }

  private fill(perMinute: number): number {
    const nowMs = this.clock.monotonicMs();
    const rate = this.rateOf(perMinute);
    const filled = this.tokens + ((nowMs - this.filledAtMs) * rate) / MINUTE_MS;
    this.filledAtMs = nowMs;
    return (this.tokens = Math.min(filled + ROUNDING, Math.max(1, rate * MAX_BURST)));
  }

  private get allowed(): number {
    return Math.min(this.limit, this.permits.allowed);
  }

  /** At an unknown provider one session more than it has allowed so far, so that one is rejected at most. */
  private get limit(): number {
    const { provider, limits } = this;
    if (!provider.isUnknown) return limits.connections;
    this.mostOpen = Math.max(this.mostOpen, this.sum('open') + this.permits.others);
    return Math.min(limits.connections, Math.max(provider.connectionsPerHost, this.mostOpen + 1));
  }

  /** At an unknown provider one connection is opened at a time once it has some, so that few are rejected. */
  private isLearning(member: ProviderMember): boolean {
    if (!this.provider.isUnknown) return false;
    if (this.sum('active') === this.sum('open')) return false;
    return [...this.uses].some(([other, { open }]) => other !== member && open > 0);
  }

  private update(): void {
    const { limit } = this;
    const held = this.sum('held');
    const wanted = Math.max(held, Math.min(limit, this.sum('wanted')));
    const [open, idle, queued] = [this.sum('open'), this.sum('idle'), this.sum('queued')];
    this.permits.update({ held, open, idle, wanted, queued, limit });
  }

  /** An idle session of another address gives way. */
  private makeRoom(member: ProviderMember): void {
    for (const [other, { idle }] of this.uses)
      if (other !== member && idle > 0) return queueMicrotask(() => other.retireIdle());
  }

  private serveOthers(member: ProviderMember): void {
    for (const [other, use] of [...this.uses]) if (other !== member && use.wanted > use.held) other.serve();
  }

  private sum(of: 'held' | 'open' | 'idle' | 'wanted' | 'queued' | 'active'): number {
    let sum = 0;
    for (const use of this.uses.values()) sum += use[of];
    return sum;
  }
}

/** It waits for its first connection. */
function isStarved({ held, wanted, mayOpen }: MemberUse): boolean {
  return held === 0 && wanted > 0 && mayOpen;
}
