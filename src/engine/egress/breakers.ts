import type { MxRecord, SmtpEvidence } from '../../kernel/verdict.js';
import { BreakerStore } from './breaker-store.js';
import type { EmailAddress } from '../address/email-address.js';
import { providerOf } from '../dns/mail-exchange.js';
import type { ProbeOutcome, ServerEvidence } from '../smtp/probe.js';
import { subjectOf } from '../replies/rejection-subject.js';
import { BREAKER_KINDS, type BreakerKind, type Scope, type ScopeName } from './breaker-scope.js';
import type { SharedState } from '../limits/shared-state.js';
import { SharedRejections } from './shared-rejections.js';

/** A probe request, as breakers see it. */
export interface BreakerRequest {
  address: Pick<EmailAddress, 'key' | 'domain'>;
  /** The tenant that makes the request. */
  tenant: string;
  /** The egress route. Results of one route do not apply to another. */
  egress?: string;
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
 * The evidence when hosts are not probed because of earlier rejections. The replies that other tenants
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
 * Each tenant has its own breakers, opened by the results of its own requests. Results of other tenants
 * only lower the number of own rejections that are needed; for a provider they are required in addition.
 * So nobody who operates a domain, a mail server or many accounts can block another tenant that was not
 * itself rejected. A successful reply counts against rejections and closes the breakers of all tenants in
 * its scope.
 */
export class Breakers {
  private readonly store = new BreakerStore();
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
   * tenant only; their names are chosen by strangers.
   */
  isAnyProviderOpen(nowMs: number): boolean {
    return this.openByProvider(nowMs).some(({ provider }) => provider !== null);
  }

  /** The number of domains, hosts, providers and egresses with an open breaker of at least one tenant. */
  open(nowMs: number): { of: BreakerKind; count: number }[] {
    const open = [...this.store.open(nowMs)];
    return BREAKER_KINDS.map((of) => ({ of, count: open.filter(({ kind }) => kind === of).length }));
  }

  /** The same by mail provider; null: another server, or not known. Names of domains and hosts are omitted. */
  openByProvider(nowMs: number): { of: BreakerKind; provider: string | null; count: number }[] {
    const counts = new Map<string, { of: BreakerKind; provider: string | null; count: number }>();
    for (const { kind: of, name } of this.store.open(nowMs)) {
      const provider = of === 'provider' ? name.name : of === 'host' ? providerOf(name.name) : null;
      const key = `${of} ${provider}`;
      counts.set(key, { of, provider, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  /** How long the egress is paused, if it is for all tenants; otherwise 0. */
  egressPauseMs(egress: string, nowMs: number): number {
    const scope = this.store.find(nameOfEgress(egress));
    return scope?.isOpenForAll(nowMs) ? scope.remainingMs(nowMs) : 0;
  }

  /** Whether the egress is paused for the tenant: unrelated providers and domains reject it. */
  isEgressOpen(egress: string, tenant: string, nowMs: number): boolean {
    return this.store.find(nameOfEgress(egress))?.isOpenFor(tenant, nowMs) ?? false;
  }

  /**
   * The hosts that may be probed now; empty: use EARLIER_REJECTION. After a pause, this request is the
   * half-open probe.
   */
  allowedHosts(request: BreakerRequest, hosts: readonly MxRecord[], nowMs: number): readonly MxRecord[] {
    const { tenant, address } = request;
    const isOpen = (scope: Scope) => scope.isOpenFor(tenant, nowMs);
    const ofDomain = this.store.find(nameOf(request, ['domain', address.domain]));
    if (ofDomain !== undefined && isOpen(ofDomain)) return [];
    // The scopes of this request.
    const relevant = ofDomain === undefined ? [] : [ofDomain];
    const allowed: MxRecord[] = [];
    for (const record of hosts) {
      const scopes = this.existingScopes(request, scopesOfHost(record.host));
      if (scopes.some(isOpen)) continue;
      allowed.push(record);
      relevant.push(...scopes);
    }
    if (allowed.length === 0) return [];
    // When all egresses are paused, a request is no half-open probe.
    const ofEgress = this.store.find(nameOfEgress(request.egress));
    if (ofEgress !== undefined && !isOpen(ofEgress)) relevant.push(ofEgress);
    for (const scope of relevant) this.onRequest(scope, tenant, nowMs);
    return allowed;
  }

  /** Records the result of a request. */
  record(request: BreakerRequest, { end, evidence, rejections }: ProbeOutcome, nowMs: number): void {
    const isReply = end === 'replied' || end === 'relaying_denied';
    const reply = isReply && evidence?.stage === 'rcpt' ? evidence : null;
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
    const { domain } = request.address;
    const key = this.subjectOf(request);
    this.succeeded(request, ['host', mxHost], key, nowMs);
    if (category === 'sender_blocked') return;
    this.succeeded(request, ['domain', domain], key, nowMs);
    const provider = providerOf(mxHost);
    if (provider !== null) this.succeeded(request, ['provider', provider], this.registrableOf(domain), nowMs);
  }

  private recordRejection(request: BreakerRequest, rejection: ServerEvidence, nowMs: number): void {
    const { domain } = request.address;
    const key = this.subjectOf(request);
    const subject = subjectOf(rejection);
    const isOfSender = subject === 'sender';
    // A rejection before RCPT does not depend on the recipient, so it concerns every tenant.
    if (rejection.stage !== 'rcpt') this.rejected(request, ['host', rejection.mxHost], key, true, nowMs);
    else if (subject !== 'recipient') this.rejected(request, ['domain', domain], key, isOfSender, nowMs);
    const provider = providerOf(rejection.mxHost);
    if (provider === null || !isOfSender) return;
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
    if (reply !== null && reply.category !== 'sender_blocked')
      return this.succeeded(request, egress, subjectAt(reply.mxHost), nowMs);
    const rejection = rejections.find(
      (evidence) => evidence.stage !== 'rcpt' || subjectOf(evidence) === 'sender',
    );
    if (rejection !== undefined) this.rejected(request, egress, subjectAt(rejection.mxHost), true, nowMs);
  }

  private succeeded(request: BreakerRequest, name: KindAndName, subject: string, nowMs: number): void {
    const { tenant } = request;
    const scopeName = nameOf(request, name);
    const scope = this.store.getOrCreate(scopeName, tenant, nowMs);
    const isRejecting = this.shared !== null && scope.isRejecting(tenant, nowMs);
    scope.succeeded(tenant, subject, nowMs);
    if (isRejecting) this.shared?.publishOutcome({ ...scopeName, tenant, subject, rejection: null });
  }

  private rejected(
    request: BreakerRequest,
    name: KindAndName,
    subject: string,
    isOfSender: boolean,
    nowMs: number,
  ): void {
    const { tenant } = request;
    const scopeName = nameOf(request, name);
    const scope = this.store.getOrCreate(scopeName, tenant, nowMs);
    const isNew = !scope.breakerOf(tenant)?.isFull(nowMs);
    const before = scope.pauseOf(tenant);
    scope.rejected(tenant, subject, isOfSender, nowMs);
    if (isNew) this.shared?.publishOutcome({ ...scopeName, tenant, subject, rejection: { isOfSender } });
    const pause = scope.pauseOf(tenant);
    if (pause !== null && pause !== before) this.shared?.publishPause(scopeName, tenant, pause, nowMs);
  }

  /** After a pause the request is the half-open probe, also for the other processes. */
  private onRequest(scope: Scope, tenant: string, nowMs: number): void {
    scope.breakerOf(tenant)?.onRequest(nowMs);
    const pause = scope.pauseOf(tenant);
    if (pause !== null) this.shared?.publishPause(scope.name, tenant, pause, nowMs);
  }

  private subjectOf({ address: { key } }: BreakerRequest): string {
    return this.sharing?.hashOf(key) ?? key;
  }

  private existingScopes(request: BreakerRequest, names: readonly KindAndName[]): Scope[] {
    const found = names.map((name) => this.store.find(nameOf(request, name)));
    return found.filter((scope) => scope !== undefined);
  }
}

type KindAndName = readonly [BreakerKind, string];

function nameOf({ egress = DIRECT }: BreakerRequest, [kind, name]: KindAndName): ScopeName {
  return { egress, kind, name };
}

function nameOfEgress(egress: string = DIRECT): ScopeName {
  return { egress, kind: 'egress', name: '' };
}

/** By the MX host name: its zone decides where it points, and results stay with that name. */
function scopesOfHost(mxHost: string): readonly KindAndName[] {
  const provider = providerOf(mxHost);
  const ofProvider: readonly KindAndName[] = provider === null ? [] : [['provider', provider]];
  return [['host', mxHost], ...ofProvider];
}

/** Several addresses of one host count as one server and one rejection. */
function onePerHost(rejections: readonly ServerEvidence[]): Iterable<ServerEvidence> {
  return new Map(rejections.map((rejection) => [rejection.mxHost, rejection])).values();
}
