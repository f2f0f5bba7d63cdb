import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/errors.js';
import { Meter } from '../../kernel/meter.js';
import type { Verdict } from '../../kernel/verdict.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, isFree, UsageService, type ChargeableVerdict } from '../usage/usage.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { toVerdict } from '../../engine/judge.js';
import type { DisposableOverride } from '../../engine/lists/disposable-domains.js';
import { parseEmailAddress, type EmailAddress } from '../../engine/address/email-address.js';
import { maxProbes, ProbesInFlight, ProbesOfCall } from '../../engine/limits/probes-in-flight.js';
import { outcomeFor, SLOW_MS, type SandboxRefusal } from './domain/sandbox.js';
import type { Priority } from '../../engine/limits/requester.js';
import type { SmtpTranscript } from '../../engine/smtp/smtp-transcript.js';
import type { VerificationResult } from '../../engine/verify.js';
import { RechecksService } from './rechecks.service.js';
import { KnownAddressesService } from './known-addresses.service.js';
import { Engine } from '../../engine/engine.js';
import { BlocklistService } from '../blocklist/blocklist.service.js';
import { DisposableCandidatesService } from '../disposable/disposable-candidates.service.js';
import { DisposableService } from '../disposable/disposable.service.js';
import { disposableMailHost } from '../../engine/disposable-mail-host.js';
import type { FactsRecord } from './domain/address-facts.repository.js';
import { factsToStore } from './domain/fact-retention.js';
import {
  LocalResults,
  withKnowledge,
  type Caller,
  type DomainRules,
  type JudgeableResult,
  type KnownAddress,
  type MayVerify,
} from './domain/local-results.js';

export type { Caller } from './domain/local-results.js';
export { inSpelling } from '../../engine/address/spelling.js';

export interface VerifyRequest {
  email: string;
  /** Probe the network even when the facts are cached. */
  refresh: boolean;
  timeoutMs: number;
  /** Default: `single`. */
  priority?: Priority;
  /** Shared by all addresses of one call; without it, it is the only one. */
  probes?: ProbesOfCall;
  /** Called before facts are read or the network is probed; default: every address may be verified. */
  mayVerify?: MayVerify;
  /** Records the SMTP dialogue. */
  transcript?: SmtpTranscript | undefined;
}

/** Options of a call with several addresses. */
export interface ManyOptions {
  refresh: boolean;
  /** For all of them together. */
  timeoutMs: number;
  /** Records the SMTP dialogue of a call with one address. */
  transcript?: SmtpTranscript | undefined;
}

/** The verdict of an address. */
export interface CheckedAddress {
  verdict: Verdict;
  /** The network was probed; the facts are stored if they are conclusive. */
  fromNetwork: boolean;
}

/** A result from the network and the facts that the caller must store; null: none. */
export interface NetworkResult {
  result: VerificationResult;
  record: FactsRecord | null;
}

/** An address for which there is no local result. */
interface Unresolved {
  address: EmailAddress;
  override: DisposableOverride | null;
  known: KnownAddress;
  transcript?: SmtpTranscript | undefined;
}

/** Shorter than the lease of a recheck. */
const RECHECK_TIMEOUT_MS = 60_000;

@Injectable()
export class VerificationService {
  /** Results that need no network. */
  readonly local: LocalResults;
  private readonly probes = new ProbesInFlight();

  constructor(
    private readonly engine: Engine,
    private readonly blocklist: BlocklistService,
    private readonly disposable: DisposableService,
    private readonly candidates: DisposableCandidatesService,
    private readonly facts: AddressFactsRepository,
    private readonly known: KnownAddressesService,
    private readonly rechecks: RechecksService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {
    this.local = new LocalResults(engine.lists);
  }

  /** Verifies one address. Network failures are verdicts, not errors. */
  async verify(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const verdict = await this.check(caller, request);
    const [settled] = await this.settle(caller, [verdict]);
    return settled ?? verdict;
  }

  /**
   * Verifies and charges each address like a single one, in the given order. All are charged, or none is.
   *
   * @throws UpgradeRequired when the tier does not include `refresh`.
   * @throws DailyQuotaExceeded, RateLimited
   */
  async verifyMany(caller: Principal, emails: readonly string[], options: ManyOptions): Promise<Verdict[]> {
    if (options.refresh && caller.mode === 'live') this.tiers.require(caller.tier, 'refresh');
    const probes = this.probesOf(caller);
    const checks = emails.map((email) => this.check(caller, { email, ...options, probes }));
    return this.settle(caller, await Promise.all(checks));
  }

  /**
   * Charges, counts and defers: the same for one address and for several. The addresses have been charged, so a
   * recheck that cannot be stored does not cost the verdict.
   */
  private async settle(caller: Principal, verdicts: readonly Verdict[]): Promise<Verdict[]> {
    await this.usage.charge(caller, verdicts.map(toChargeable));
    for (const verdict of verdicts) this.count(caller, verdict);
    const deferrals = verdicts.map((verdict) => this.rechecks.defer(caller, verdict).catch(() => null));
    const retryAfter = await Promise.all(deferrals);
    return verdicts.map((verdict, n) => ({ ...verdict, retryAfter: retryAfter[n] ?? null }));
  }

  /** Verifies an address without charging, counting or deferring it. */
  private async check(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const { result, rules } = await this.obtainResult(caller, request);
    const elapsed = this.clock.monotonicMs() - start;
    return toVerdict(request.email, result, rules, this.clock.now(), elapsed);
  }

  /** The probes of a call with several addresses. @param share of the team's probes that may be in flight. */
  probesOf({ teamId, tier }: Caller, share = 1): ProbesOfCall {
    const max = Math.ceil(maxProbes(this.tiers.get(tier).rate) * share);
    return new ProbesOfCall(this.probes, teamId, max);
  }

  /** Verifies an address in the background, from stored facts or the network. */
  async recheck(caller: Caller, email: string): Promise<CheckedAddress> {
    const start = this.clock.monotonicMs();
    const local = await this.localResult(caller, email, false);
    const { result, rules } =
      local.done ?? (await this.queryNetwork(caller, local.left, RECHECK_TIMEOUT_MS, 'list'));
    const elapsed = this.clock.monotonicMs() - start;
    const verdict = toVerdict(email, result, rules, this.clock.now(), elapsed);
    this.count(caller, verdict);
    return { verdict, fromNetwork: fetchedFromNetwork(caller, result) };
  }

  /** The verdict of an address that could not be checked. */
  internalErrorVerdict(caller: Caller, email: string): Verdict {
    const result = this.local.internalError(parseEmailAddress(email));
    return toVerdict(email, result, caller.rules, this.clock.now(), 0);
  }

  private async obtainResult(
    caller: Caller,
    { email, refresh, timeoutMs, priority = 'single', probes, mayVerify, transcript }: VerifyRequest,
  ): Promise<JudgeableResult> {
    const start = this.clock.monotonicMs();
    const local = await this.localResult(caller, email, refresh, mayVerify);
    if (local.done !== null) {
      if (caller.mode === 'test') await this.simulateErrors(caller, local.done.result);
      return local.done;
    }
    const release = await (probes ?? this.probesOf(caller)).acquire();
    if (release === null) throw new RateLimited(1);
    const remainingMs = Math.max(1, Math.ceil(timeoutMs - (this.clock.monotonicMs() - start)));
    return this.queryNetwork(caller, { ...local.left, transcript }, remainingMs, priority, release);
  }

  private async localResult(
    caller: Caller,
    email: string,
    refresh: boolean,
    mayVerify?: MayVerify,
  ): Promise<{ done: JudgeableResult } | { done: null; left: Unresolved }> {
    const parsed = parseEmailAddress(email);
    if (!parsed.ok) return { done: this.local.ofSyntax(caller, parsed.error) };
    const { address } = parsed;
    const domains = await this.domainRules(caller.teamId);
    const override = domains.override(address.domain);
    const first =
      this.local.withoutFacts(caller, address, domains) ??
      (mayVerify && (await this.local.limited(caller, address, override, mayVerify)));
    if (first) return { done: first };
    const known = await this.known.find(caller.teamId, address.key);
    const done = this.local.fromStored(caller, address, override, known, refresh, this.clock.now());
    return done === null ? { done, left: { address, override, known } } : { done };
  }

  /** @param release called before the facts are stored. */
  private async queryNetwork(
    caller: Caller,
    { address, override, known, transcript }: Unresolved,
    timeoutMs: number,
    priority: Priority,
    release = () => undefined as void,
  ): Promise<JudgeableResult> {
    const query = this.query(caller, address, override, timeoutMs, priority, transcript);
    const { result, record } = await query.finally(release);
    if (record !== null) await this.facts.save(caller.teamId, [record]);
    return { result: withKnowledge(result, known), rules: caller.rules };
  }

  /** The decisions of the team and the operator about domains. */
  async domainRules(teamId: TeamId): Promise<DomainRules> {
    // One after the other: both lists are usually cached.
    const blocked = await this.blocklist.matcher(teamId);
    const override = await this.disposable.matcher(teamId);
    return { blocked, override };
  }

  /** Verifies an address through DNS and SMTP. Network failures are results. */
  async query(
    { teamId, rules }: Caller,
    address: EmailAddress,
    override: DisposableOverride | null,
    timeoutMs: number,
    priority: Priority,
    transcript?: SmtpTranscript,
  ): Promise<NetworkResult> {
    const requester = { tenant: teamId, priority, transcript };
    const result = await this.engine.verify(address, override, timeoutMs, requester);
    // A domain on mail servers of a disposable service is a candidate.
    const mxHost = override === null ? disposableMailHost(result.evidence, this.engine.lists) : null;
    if (mxHost !== null) this.candidates.record({ domain: address.domain, mxHost });
    const observedAt = this.clock.now();
    const toStore = factsToStore(result.evidence, observedAt, rules);
    return { result, record: toStore && { key: address.key, observedAt, ...toStore } };
  }

  /** Outcomes of test keys that are errors or delays; a blocked domain takes precedence. */
  private async simulateErrors(caller: Caller, { evidence }: VerificationResult): Promise<void> {
    if (evidence.kind === 'syntax' || evidence.kind === 'blocked') return;
    const outcome = outcomeFor(evidence.address);
    if (outcome.kind === 'refusal') this.refuse(caller, outcome.refusal);
    if (outcome.kind === 'slow') await this.clock.pause(SLOW_MS);
  }

  /** Counts a verdict, and remembers it for its outcome. */
  count({ mode, teamId }: Caller, verdict: Verdict): void {
    if (mode !== 'live') return;
    this.meter.count('rcpt_verdicts_total', verdict.status, verdict.reason);
    this.known.remember(teamId, verdict);
  }

  private refuse(caller: Caller, refusal: SandboxRefusal): never {
    if (refusal === 'rate_limited') throw new RateLimited(1);
    if (refusal === 'quota_exceeded') throw new DailyQuotaExceeded(60);
    return this.tiers.refuse(caller.tier, 'verify');
  }
}

/** The verdict of a single check, to be charged. */
export function toChargeable({ status, reason }: Pick<Verdict, 'status' | 'reason'>): ChargeableVerdict {
  return {
    kind: 'single',
    status,
    free: isFree({ status, reason }),
    isRateLimited: reason === 'rate_limited',
  };
}

/** Whether a live key's verdict came from the network, not from stored facts. */
export function fetchedFromNetwork({ mode }: Caller, { evidence, cached }: VerificationResult): boolean {
  return mode === 'live' && evidence.kind === 'probed' && !cached;
}
