import type { MxRecord, SmtpEvidence } from '../../kernel/verdict.js';
import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import { BreakerStore } from './breaker-store.js';
import type { EmailAddress } from '../address/email-address.js';
import { PROVIDERS, providerOf } from '../providers/mail-exchange.js';
import { isOfServer, type ProbeOutcome, type ServerEvidence } from '../smtp/probe.js';
import { subjectOf } from '../replies/rejection-subject.js';
import { BREAKER_KINDS, type BreakerKind, type Scope, type ScopeName } from './breaker-scope.js';
import type { SharedState } from '../limits/shared-state.js';
import { FirstContacts, type CountedAt } from './first-contacts.js';
import { SharedRejections } from './shared-rejections.js';

/** A probe request, as breakers see it. */
export interface BreakerRequest {
  address: Pick<EmailAddress, 'key' | 'domain'>;
  /** The team that makes the request. */
  team: string;
  /** The egress route. Results of one route do not apply to another. */
  egress?: string;
}

/** A recipient that is about to be sent to a host. */
export interface Entry {
  priority: Priority;
  /** Where the recipient is counted, each with what releases it. */
  counted: CountedAt;
  signal: AbortSignal;
  /** The monotonic clock. */
  nowMs: () => number;
}

/** How breakers are shared with other processes. */
export interface BreakerSharing {
  sharedState: SharedState;
  /** A keyed hash of an address, the same in all processes. */
  hashOf: (addressKey: string) => string;
  /** The monotonic clock. */
  nowMs: () => number;
}

const DIRECT = 'direct';

/**
 * The evidence when hosts are not probed because of earlier rejections. The replies that other teams
 * received are not disclosed.
 */
export const EARLIER_REJECTION: SmtpEvidence = {
  stage: null,
  code: null,
  enhancedCode: null,
  category: 'sender_blocked',
  mxHost: null,
  attempts: 0,
  tls: null,
  text: null,
  egress: null,
};

/**
 * Circuit breakers for servers that reject us.
 *
 * Each team has its own breakers, opened by rejections of its own requests in a row, and closed by its own
 * success. Rejections of other teams only lower the number that is needed, and only for a team without a
 * success. So nobody who operates a domain, a mail server or many accounts can block another team that was
 * not itself rejected, or end its pause.
 */
export class Breakers {
  private readonly store = new BreakerStore();
  private readonly contacts = new FirstContacts();
  private readonly shared: SharedRejections | null;

  /**
   * @param registrableOf the registrable part of a domain: subdomains count as one domain.
   * @param sharing null: nothing is shared with other processes.
   */
  constructor(
    private readonly registrableOf: (domain: string) => string,
    private readonly sharing: BreakerSharing | null = null,
  ) {
    this.shared = sharing && new SharedRejections(sharing.sharedState, this.store, sharing.nowMs);
  }

  /**
   * Whether a large provider rejects us. Breakers of other hosts and domains may concern the domains of one
   * team only; their names are chosen by strangers.
   */
  isAnyProviderOpen(nowMs: number): boolean {
    for (const scope of this.store.open(nowMs))
      if (providerOfScope(scope) !== null && (scope.kind === 'host' || scope.isOpenForAll(nowMs)))
        return true;
    return false;
  }

  /** The number of domains, hosts, providers and egresses with an open breaker of at least one team. */
  open(nowMs: number): { of: BreakerKind; count: number }[] {
    const open = [...this.store.open(nowMs)];
    return BREAKER_KINDS.map((of) => ({ of, count: open.filter(({ kind }) => kind === of).length }));
  }

  /** The same by mail provider; null: another server, or not known. Names of domains and hosts are omitted. */
  openByProvider(nowMs: number): { of: BreakerKind; provider: string | null; count: number }[] {
    const counts = new Map<string, { of: BreakerKind; provider: string | null; count: number }>();
    for (const scope of this.store.open(nowMs)) {
      const { kind: of } = scope;
      const provider = providerOfScope(scope);
      const key = `${of} ${provider}`;
      counts.set(key, { of, provider, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  /** How long the egress is paused, if it is for all teams; otherwise 0. */
  egressPauseMs(egress: string, nowMs: number): number {
    const scope = this.store.find(nameOfEgress(egress));
    return scope?.isOpenForAll(nowMs) ? scope.remainingMs(nowMs) : 0;
  }

  /** Whether the egress is paused for the team: unrelated providers and domains reject it. */
  isEgressOpen(egress: string, team: string, nowMs: number): boolean {
    return this.store.find(nameOfEgress(egress))?.isOpenFor(team, nowMs) ?? false;
  }

  /** The hosts that may be probed now; empty: use EARLIER_REJECTION. */
  allowedHosts(request: BreakerRequest, hosts: readonly MxRecord[], nowMs: number): readonly MxRecord[] {
    return hosts.filter(({ host }) => this.mayProbe(request, host, nowMs));
  }

  /** Whether the host may be probed now. */
  mayProbe(request: BreakerRequest, mxHost: string, nowMs: number): boolean {
    const scopes = this.existingScopes(request, this.namesAt(request, mxHost));
    return !scopes.some((scope) => scope.kind !== 'egress' && scope.isOpenFor(request.team, nowMs));
  }

  /** Must be called when the host is about to be probed. After a pause, this request is the half-open probe. */
  onProbing(request: BreakerRequest, mxHost: string, nowMs: number): void {
    for (const scope of this.existingScopes(request, this.namesAt(request, mxHost)))
      // When all egresses are paused, a request is no half-open probe.
      if (!scope.isOpenFor(request.team, nowMs)) this.onRequest(scope, request.team, nowMs);
  }

  /**
   * Waits while too many recipients of the team are under way at the host, its provider or the egress, if it has
   * not answered the team yet.
   *
   * @returns false: the host may not be probed, or the signal aborted.
   */
  enter(request: BreakerRequest, mxHost: string, entry: Entry): Promise<boolean> {
    const { priority, counted, signal, nowMs } = entry;
    const unanswered = () =>
      this.mayProbe(request, mxHost, nowMs()) ? this.unansweredAt(request, mxHost, nowMs()) : null;
    return this.contacts.enter(unanswered, { team: request.team, priority }, counted, signal);
  }

  /** Where the team has had no success in the last ten minutes, of the host, its provider and the egress. */
  private unansweredAt(request: BreakerRequest, mxHost: string, nowMs: number): readonly string[] {
    const hasSucceeded = (name: ScopeName) =>
      this.store.find(name)?.breakerOf(request.team)?.hasSucceeded(nowMs) ?? false;
    return this.namesAt(request, mxHost)
      .filter((name) => name.kind !== 'domain' && !hasSucceeded(name))
      .map(({ egress, kind, name }) => `${egress} ${kind} ${name}`);
  }

  /** Records the result of a request. */
  record(request: BreakerRequest, { end, evidence, rejections = [] }: ProbeOutcome, nowMs: number): void {
    const isReply = end === 'replied' || end === 'relaying_denied';
    const reply = isReply && isOfServer(evidence) && evidence.stage === 'rcpt' ? evidence : null;
    this.recordEgress(request, reply, rejections, nowMs);
    if (reply !== null) this.recordReply(request, reply, nowMs);
    for (const rejection of onePerHost(rejections)) {
      // Another address of the same host accepted the connection.
      if (rejection.stage !== 'rcpt' && rejection.mxHost === reply?.mxHost) continue;
      this.recordRejection(request, rejection, nowMs);
    }
  }

  /**
   * The host replied to RCPT, so it accepts our connections. The reply shows whether the domain and the
   * provider do.
   */
  private recordReply(request: BreakerRequest, { mxHost, category }: ServerEvidence, nowMs: number): void {
    this.succeeded(request, ['host', mxHost], nowMs);
    if (category === 'sender_blocked') return;
    this.succeeded(request, ['domain', request.address.domain], nowMs);
    this.succeeded(request, ['provider', this.providerAt(mxHost)], nowMs);
  }

  private recordRejection(request: BreakerRequest, rejection: ServerEvidence, nowMs: number): void {
    const { domain } = request.address;
    const key = this.keyOf(request);
    const isRecipients = rejection.stage === 'rcpt' && subjectOf(rejection) === 'recipient';
    const isOfSender = concernsSender(rejection);
    if (rejection.stage !== 'rcpt') this.rejected(request, ['host', rejection.mxHost], key, true, nowMs);
    else if (!isRecipients) this.rejected(request, ['domain', domain], key, isOfSender, nowMs);
    if (!isOfSender) return;
    const provider = this.providerAt(rejection.mxHost);
    this.rejected(request, ['provider', provider], this.registrableOf(domain), true, nowMs);
  }

  /**
   * The providers and unrelated domains that accept or reject the egress. Rejections by one domain of
   * a server, or by a recipient, do not count.
   */
  private recordEgress(
    request: BreakerRequest,
    reply: ServerEvidence | null,
    rejections: readonly ServerEvidence[],
    nowMs: number,
  ): void {
    const subjectAt = (mxHost: string) => providerOf(mxHost) ?? this.registrableOf(request.address.domain);
    const egress = ['egress', ''] as const;
    if (reply !== null && reply.category !== 'sender_blocked') return this.succeeded(request, egress, nowMs);
    const rejection = rejections.find(concernsSender);
    if (rejection !== undefined) this.rejected(request, egress, subjectAt(rejection.mxHost), true, nowMs);
  }

  private succeeded(request: BreakerRequest, name: KindAndName, nowMs: number): void {
    const { team } = request;
    const scopeName = nameOf(request, name);
    const scope = this.store.getOrCreate(scopeName, team, nowMs);
    const isRejecting = this.shared !== null && scope.isRejecting(team, nowMs);
    scope.succeeded(team, nowMs);
    if (isRejecting) this.shared?.publishOutcome({ ...scopeName, team, subject: '', rejection: null });
  }

  private rejected(
    request: BreakerRequest,
    name: KindAndName,
    subject: string,
    isOfSender: boolean,
    nowMs: number,
  ): void {
    const { team } = request;
    const scopeName = nameOf(request, name);
    const scope = this.store.getOrCreate(scopeName, team, nowMs);
    const isNew = !scope.breakerOf(team)?.isFull(nowMs);
    const before = scope.pauseOf(team);
    scope.rejected(team, subject, isOfSender, nowMs);
    if (isNew) this.shared?.publishOutcome({ ...scopeName, team, subject, rejection: { isOfSender } });
    const pause = scope.pauseOf(team);
    if (pause !== null && pause !== before) this.shared?.publishPause(scopeName, team, pause, nowMs);
  }

  /** After a pause the request is the half-open probe, also for the other processes. */
  private onRequest(scope: Scope, team: string, nowMs: number): void {
    scope.breakerOf(team)?.onRequest(nowMs);
    const pause = scope.pauseOf(team);
    if (pause !== null) this.shared?.publishPause(scope.name, team, pause, nowMs);
  }

  private keyOf({ address: { key } }: BreakerRequest): string {
    return this.sharing?.hashOf(key) ?? key;
  }

  /** What decides about a request at this host. */
  private namesAt(request: BreakerRequest, mxHost: string): readonly ScopeName[] {
    const names: readonly KindAndName[] = [
      ['domain', request.address.domain],
      ['host', mxHost],
      ['provider', this.providerAt(mxHost)],
      ['egress', ''],
    ];
    return names.map((name) => nameOf(request, name));
  }

  private existingScopes(request: BreakerRequest, names: readonly ScopeName[]): Scope[] {
    const found = names.map((name) => this.store.find(name));
    return found.filter((scope) => scope?.breakerOf(request.team) !== undefined) as Scope[];
  }

  /** A provider that is not in the table has the name of its domain. */
  private providerAt(mxHost: string): string {
    return providerOf(mxHost) ?? this.registrableOf(mxHost.toLowerCase().replace(/\.$/, ''));
  }
}

type KindAndName = readonly [BreakerKind, string];

function nameOf({ egress = DIRECT }: BreakerRequest, [kind, name]: KindAndName): ScopeName {
  return { egress, kind, name };
}

function nameOfEgress(egress: string = DIRECT): ScopeName {
  return { egress, kind: 'egress', name: '' };
}

/** A large provider; null: another one, whose name was chosen by a stranger, or none. */
function providerOfScope({ kind, name: { name } }: Scope): string | null {
  if (kind === 'provider') return PROVIDERS.includes(name) ? name : null;
  return kind === 'host' ? providerOf(name) : null;
}

/** A rejection before RCPT does not depend on the recipient. */
function concernsSender(rejection: ServerEvidence): boolean {
  return rejection.stage !== 'rcpt' || subjectOf(rejection) === 'sender';
}

/** Several addresses of one host count as one server and one rejection. */
function onePerHost(rejections: readonly ServerEvidence[]): Iterable<ServerEvidence> {
  return new Map(rejections.map((rejection) => [rejection.mxHost, rejection])).values();
}
