import type { Clock } from '../../../kernel/clock.js';
import { FairQueue, type Requester } from '../../../kernel/concurrency/fair-queue.js';
import { whyNot, type LimitName } from '../../limits/connection-limit.js';
import type { ConnectionPermits, ProviderPermits } from '../../limits/connection-permits.js';
import type { EgressTotal } from '../../limits/egress-total.js';
import type { Provider } from '../../providers/session-limits.js';
import { isOverload, type SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { EgressTurn } from './egress-turn.js';
import type { LearnedLimits } from './learned-limits.js';
import { CLOSE_LAG_MS } from './address-connections.js';
import type { AddressPool, ServerAddress } from './server-address.js';

/** Requests that wait for a session, and the limit that is the reason. */
export interface BlockedRequests {
  egress: string;
  provider: Pick<Provider, 'name' | 'isUnknown'>;
  limit: LimitName;
  waiting: number;
}

export interface ProviderPoolOptions {
  clock: Clock;
  egressName: string;
  permits: ConnectionPermits;
  /** null: the egress has no limit of its own. */
  egressTotal: Pick<EgressTotal, 'acquire'> | null;
  /** Of the provider. */
  limits: LearnedLimits;
  /** Called now and then while requests wait for a session. */
  onBlocked?: ((blocked: BlockedRequests) => void) | undefined;
}

/** Between two reports of a limit. */
const LOG_INTERVAL_MS = 10_000;
/** Rejections in a row at one address that may be due to sessions at others of the provider. */
const MAX_ELSEWHERE = 4;

/**
 * The sessions of this process with all addresses of one provider, through one egress. An address without a
 * session comes before a second session of another one: single calls before lists, and teams in turns.
 */
export class ProviderPool implements AddressPool {
  private size = 0;
  /** Addresses with a connection or a request. */
  private readonly used = new Set<ServerAddress>();
  /** Addresses that wait for their first connection, each in the turn of its next request. */
  private readonly starved = new FairQueue<ServerAddress>();
  private readonly turns = new Map<ServerAddress, Requester>();
  private readonly permits: ProviderPermits;
  private readonly egressTurn: EgressTurn;
  /** The most sessions of all processes together, as far as known. */
  private mostOpen = 0;
  private loggedAtMs = -Infinity;

  constructor(
    readonly provider: Provider,
    private readonly options: ProviderPoolOptions,
  ) {
    const { permits, egressName, egressTotal } = options;
    this.permits = permits.permitsFor(
      egressName,
      provider.name,
      () => this.serve(),
      () => this.abandon(),
    );
    this.egressTurn = new EgressTurn(egressTotal, () => this.serve());
  }

  /** Whether no address belongs to it. */
  get isEmpty(): boolean {
    return this.size === 0;
  }

  add(address: ServerAddress): void {
    this.size += 1;
    if (!address.isUnused) this.serve(address);
  }

  /** Must be called when the address is removed, or belongs to another provider. */
  remove(address: ServerAddress): void {
    this.size -= 1;
    this.used.delete(address);
    this.setTurn(address, null);
    this.serve();
  }

  /** @param address which may have a connection or a request that it did not have before. */
  serve(address?: ServerAddress): void {
    if (address !== undefined) this.used.add(address);
    for (const used of this.used) {
      used.assign();
      this.setTurn(used, used.isStarved ? used.waiting.nextKey() : null);
      if (used.isUnused) this.used.delete(used);
    }
    this.closeSurplus();
    this.openSome();
    this.report();
  }

  get allowed(): number {
    return Math.min(this.limit, this.permits.allowed);
  }

  isOver(address: ServerAddress): boolean {
    if (activeOf(address) > address.limit || this.sum(activeOf) > this.allowed) return true;
    if (!this.starved.hasSingles || this.free > 0) return false;
    // Those that are being closed are for some of them.
    const singles = [...this.turns.values()].filter(({ priority }) => priority === 'single');
    return singles.length > this.sum(closingOf);
  }

  /** The server or its provider has reached its connection limit, or it rejects us. */
  onRejected(address: ServerAddress, result: SmtpProbeResult): void {
    const { connections, pauses, limits } = address;
    const here = connections.counted;
    const elsewhere = isOverload(result) ? this.countedElsewhere(address) : 0;
    const isElsewhere = elsewhere > 0 || (isOverload(result) && this.permits.othersHeld > 0);
    const isFull = here > 0 || (isElsewhere && pauses.rejectedInRow < MAX_ELSEWHERE);
    if (!isFull) return pauses.onRejected(result, this.isShared);
    if (isElsewhere) this.limitConnections(here + elsewhere);
    else limits.limitConnections(here);
    pauses.onFull();
  }

  /** Other processes may get the connections from now on. */
  private abandon(): void {
    for (const address of this.used) address.abandon();
  }

  /** Connections that may be opened now. */
  private get free(): number {
    return this.allowed - this.sum(heldOf);
  }

  /**
   * At an unknown provider one session more than it has allowed so far, so that one is rejected at most, and no
   * more than its addresses allow.
   */
  private get limit(): number {
    const { provider, used } = this;
    const learned = Math.min(this.options.limits.connections, provider.connections);
    if (!provider.isUnknown) return Math.max(1, learned);
    this.mostOpen = Math.max(this.mostOpen, this.sum(openOf) + this.permits.others);
    const perAddress = provider.connectionsPerHost;
    const most = Math.min(used.size * perAddress, Math.max(perAddress, this.mostOpen + 1));
    return Math.max(1, Math.min(learned, most));
  }

  /** Other processes have work at the provider. */
  private get isShared(): boolean {
    return this.permits.processes > 1;
  }

  private setTurn(address: ServerAddress, turn: Requester | null): void {
    const before = this.turns.get(address);
    if (before?.team === turn?.team && before?.priority === turn?.priority) return;
    if (before !== undefined) this.starved.remove(before, address);
    this.turns.delete(address);
    if (turn === null) return;
    this.starved.add(turn, address);
    this.turns.set(address, turn);
  }

  /** Idle sessions give way to addresses that have none, and to other processes. */
  private closeSurplus(): void {
    let missing = this.starved.size - Math.max(0, this.free) - this.sum(closingOf);
    for (const address of this.used)
      for (; address.connections.idleCount > 0 && (missing > 0 || this.isOver(address)); missing -= 1)
        address.connections.retireIdle();
  }

  private openSome(): void {
    for (;;) {
      const requester = this.nextRequester();
      const isGranted = this.egressTurn.request(requester);
      if (requester === null || !isGranted) return;
      const address = this.starved.dequeue() ?? this.nextWithSession()!;
      this.turns.delete(address);
      // The last one to get another.
      this.used.delete(address);
      this.used.add(address);
      this.permits.onOpening();
      void address.openOne(this.egressTurn.use());
    }
  }

  /** In whose turn the next connection is opened; null: none may be opened. */
  private nextRequester(): Requester | null {
    const [starved] = this.turns.keys();
    if (starved !== undefined) return this.mayOpen(starved) ? this.starved.nextKey() : null;
    return this.nextWithSession()?.waiting.nextKey() ?? null;
  }

  private nextWithSession(): ServerAddress | null {
    if (this.free <= 0) return null;
    for (const address of this.used) if (address.wantsOne && this.mayOpen(address)) return address;
    return null;
  }

  /** The egress is asked last, for the connection that is otherwise possible. */
  private mayOpen(address: ServerAddress): boolean {
    const limit = this.limitOf(address);
    return limit === null || limit === 'egress';
  }

  /** Why no connection to the address may be opened now; null: one may. Every decision about one is made here. */
  private limitOf(address: ServerAddress): LimitName | null {
    const held = this.sum(heldOf);
    return whyNot([
      ...address.ownLimits,
      { name: 'provider', room: this.limit - held },
      { name: 'processes', room: this.permits.allowed - held },
      { name: 'first_session', room: this.isLearning(address) ? 0 : Infinity },
      { name: 'egress', room: this.egressTurn.isWaiting ? 0 : Infinity },
    ]);
  }

  /** Why waiting requests have no session: of the address that is next, or where most wait; null: none wait. */
  private get blockedBy(): LimitName | null {
    let [next] = this.turns.keys();
    if (next === undefined)
      for (const address of this.used)
        if (address.wantsOne && address.waiting.size > (next?.waiting.size ?? 0)) next = address;
    const limit = next === undefined ? null : this.limitOf(next);
    // A slow server: the connection is there, and no limit is reached.
    return limit ?? (this.sum(waitingOf) > 0 ? 'opening' : null);
  }

  /**
   * At an unknown provider one connection is opened at a time while other addresses have sessions, so that few are
   * rejected.
   */
  private isLearning(address: ServerAddress): boolean {
    if (!this.provider.isUnknown || this.sum(openingOf) === 0) return false;
    return this.sum(openOf) > openOf(address);
  }

  /** Sessions at other addresses that the provider may count, also those of other processes. */
  private countedElsewhere(address: ServerAddress): number {
    const countedAt = (other: ServerAddress) =>
      other === address ? 0 : other.connections.counted + openingOf(other);
    return this.permits.others + this.sum(countedAt);
  }

  /** The provider rejected a connection while it counted so many. */
  private limitConnections(counted: number): void {
    const { limits, clock } = this.options;
    if (!this.isShared) {
      // Some of those counted may be closed. An unknown provider has shown how many it allows at a time.
      const isShown = this.provider.isUnknown && this.mostOpen > 0;
      return limits.limitConnections(isShown ? Math.min(counted, this.mostOpen) : counted);
    }
    // Other processes did not know of the limit when they opened connections that are rejected now.
    if (clock.monotonicMs() < limits.loweredAtMs + CLOSE_LAG_MS) return;
    // What they have opened since their last report is not known, and a limit that is too low stays for all.
    limits.limitConnections(Math.max(Math.min(this.limit, this.permits.total) - 1, counted));
  }

  private report(): void {
    const { limit } = this;
    const use = { held: 0, open: 0, idle: 0, wanted: 0, queued: 0 };
    for (const address of this.used) {
      const { held, open, idleCount } = address.connections;
      use.held += held;
      use.open += open;
      use.idle += idleCount;
      use.wanted += address.wanted;
      use.queued += address.waiting.size;
    }
    const wanted = Math.max(use.held, Math.min(limit, use.wanted));
    const { blockedBy } = this;
    this.permits.update({ ...use, wanted, blockedBy, limit, isLearned: this.provider.isUnknown });
    if (blockedBy !== null && blockedBy !== 'opening') this.logBlocked(blockedBy, use.queued);
  }

  private logBlocked(limit: LimitName, waiting: number): void {
    const { clock, onBlocked, egressName } = this.options;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.loggedAtMs + LOG_INTERVAL_MS) return;
    this.loggedAtMs = nowMs;
    onBlocked?.({ egress: egressName, provider: this.provider, limit, waiting });
  }

  private sum(of: (address: ServerAddress) => number): number {
    let sum = 0;
    for (const address of this.used) sum += of(address);
    return sum;
  }
}

const heldOf = ({ connections }: ServerAddress) => connections.held;
const openOf = ({ connections }: ServerAddress) => connections.open;
const openingOf = ({ connections }: ServerAddress) => connections.opening;
const waitingOf = ({ waiting }: ServerAddress) => waiting.size;
const closingOf = ({ connections }: ServerAddress) => connections.closing;
/** Connections that are not being closed. */
const activeOf = (address: ServerAddress) => openOf(address) + openingOf(address);
