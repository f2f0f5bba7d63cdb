import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PUBLISHABLE_SHARE, type Principal, type TeamId } from '../../kernel/principal.js';
import { RateLimited, SecretKeyRequired } from '../../kernel/errors.js';
import { Meter } from '../../kernel/meter.js';
import type { Verdict } from '../../kernel/verdict.js';
import { PublishableKeysService } from '../publishable-keys/publishable-keys.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, isFree, UsageService, type ChargeableVerdict } from '../usage/usage.service.js';
import { AddressFactsRepository, type FactsRecord } from './domain/address-facts.repository.js';
import { toVerdict } from '../../engine/judge.js';
import type { DisposableOverride } from '../../engine/lists/domain-list.js';
import { parseEmailAddress, type EmailAddress } from '../../engine/address/email-address.js';
import { maxProbes, ProbesInFlight, ProbesOfCall } from '../../engine/limits/probes-in-flight.js';
import { outcomeFor, SLOW_MS, type SandboxRefusal } from './domain/sandbox.js';
import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import type { SmtpTranscript } from '../../engine/smtp/smtp-transcript.js';
import type { VerificationResult } from '../../engine/verify.js';
import { RechecksService } from './rechecks.service.js';
import { KnownAddressesService } from './known-addresses.service.js';
import { Engine } from '../../engine/engine.js';
import { BlocklistService } from '../blocklist/blocklist.service.js';
import { DisposableCandidatesService } from '../disposable/disposable-candidates.service.js';
import { DisposableService } from '../disposable/disposable.service.js';
import { disposableMailHost } from '../../engine/evidence.js';
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
export { inSpelling } from '../../engine/address/email-address.js';

export interface VerifyOptions {
  /** Probe the network even when the facts are stored. */
  refresh: boolean;
  /** For all addresses of the call together. */
  timeoutMs: number;
  /** Called before facts are read or the network is probed; default: every address may be verified. */
  mayVerify?: MayVerify;
  /** Records the SMTP dialogue of a call with one address. */
  transcript?: SmtpTranscript | undefined;
}

/** The verdict of an address. */
export interface CheckedAddress {
  verdict: Verdict;
  /** The network was probed with a live key; the facts are stored if they are conclusive. */
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
    private readonly publishableKeys: PublishableKeysService,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {
    this.local = new LocalResults(engine.lists);
  }

  /**
   * Verifies and charges each address, in the given order. All are charged, or none is. Network failures are verdicts,
   * not errors.
   *
   * @throws UpgradeRequired when the tier does not include `refresh`.
   * @throws DailyQuotaExceeded, RateLimited
   */
  async verify(caller: Principal, emails: readonly string[], options: VerifyOptions): Promise<Verdict[]> {
    if (options.refresh && caller.mode === 'live') this.tiers.require(caller.tier, 'refresh');
    const probes = this.probesOf(caller);
    const checks = emails.map((email) => this.check(caller, email, probes, options));
    return this.settle(caller, await Promise.all(checks));
  }

  /**
   * Verifies an address for the visitor of a page. The verdict is `unknown / rate_limited` if the client or key has
   * verified many addresses of the domain.
   *
   * @param client the network of the client.
   * @throws SecretKeyRequired for several addresses (`email` is undefined) or `refresh`
   * @throws RateLimited, DailyQuotaExceeded
   */
  async verifyForVisitor(
    caller: Principal,
    email: string | undefined,
    client: string,
    options: VerifyOptions,
  ): Promise<Verdict> {
    if (email === undefined || options.refresh) throw new SecretKeyRequired();
    const mayVerify = ({ domain, key: address }: EmailAddress, isMailboxProvider: boolean) =>
      this.publishableKeys.mayVerify(caller, { client, domain, address }, isMailboxProvider);
    const [verdict] = await this.verify(caller, [email], { ...options, mayVerify });
    return verdict!;
  }

  /**
   * Charges, counts and defers. The addresses have been charged, so a recheck that cannot be stored does not cost
   * the verdict.
   */
  private async settle(caller: Principal, verdicts: readonly Verdict[]): Promise<Verdict[]> {
    await this.usage.charge(caller, verdicts.map(toChargeable));
    for (const verdict of verdicts) this.count(caller, verdict);
    const deferrals = verdicts.map((verdict) => this.rechecks.defer(caller, verdict).catch(() => null));
    const retryAfter = await Promise.all(deferrals);
    return verdicts.map((verdict, n) => ({ ...verdict, retryAfter: retryAfter[n] ?? null }));
  }

  /** Verifies an address without charging, counting or deferring it. */
  private async check(
    caller: Principal,
    email: string,
    probes: ProbesOfCall,
    { refresh, timeoutMs, mayVerify, transcript }: VerifyOptions,
  ): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const local = await this.localResult(caller, email, refresh, mayVerify);
    if (local.done !== null) {
      if (caller.mode === 'test') await this.simulateErrors(caller, local.done.result);
      return this.verdictOf(email, local.done, start);
    }
    const release = await probes.acquire();
    if (release === null) throw new RateLimited(1);
    const remainingMs = Math.max(1, Math.ceil(timeoutMs - (this.clock.monotonicMs() - start)));
    const left = { ...local.left, transcript };
    return this.verdictOf(
      email,
      await this.queryNetwork(caller, left, remainingMs, 'single', release),
      start,
    );
  }

  /** The probes of one call. Publishable keys may use a share of those of the team. */
  private probesOf({ teamId, tier, publishable }: Principal): ProbesOfCall {
    const share = publishable === null ? 1 : PUBLISHABLE_SHARE;
    const max = Math.ceil(maxProbes(this.tiers.get(tier).rate) * share);
    return new ProbesOfCall(this.probes, teamId, max);
  }

  /** Verifies an address in the background, from stored facts or the network. */
  async recheck(caller: Caller, email: string): Promise<CheckedAddress> {
    const start = this.clock.monotonicMs();
    const local = await this.localResult(caller, email, false);
    const done = local.done ?? (await this.queryNetwork(caller, local.left, RECHECK_TIMEOUT_MS, 'list'));
    return this.checked(caller, email, done, start);
  }

  /** Counts the verdict of an address of a list. @param startMs when its verification started. */
  checked(caller: Caller, email: string, done: JudgeableResult, startMs: number): CheckedAddress {
    const verdict = this.verdictOf(email, done, startMs);
    this.count(caller, verdict);
    const { evidence, cached } = done.result;
    return { verdict, fromNetwork: caller.mode === 'live' && evidence.kind === 'probed' && !cached };
  }

  private verdictOf(email: string, { result, rules }: JudgeableResult, startMs: number): Verdict {
    return toVerdict(email, result, rules, this.clock.now(), this.clock.monotonicMs() - startMs);
  }

  /** The verdict of an address that could not be checked. */
  internalErrorVerdict(caller: Caller, email: string): Verdict {
    const result = this.local.ofInternalError(parseEmailAddress(email));
    return toVerdict(email, result, caller.rules, this.clock.now(), 0);
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
  private count({ mode, teamId }: Caller, verdict: Verdict): void {
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
function toChargeable({ status, reason }: Pick<Verdict, 'status' | 'reason'>): ChargeableVerdict {
  return {
    kind: 'single',
    status,
    free: isFree({ status, reason }),
    isRateLimited: reason === 'rate_limited',
  };
}
