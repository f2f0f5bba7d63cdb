import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { Meter } from '../../kernel/meter.js';
import type { Verdict } from '../../kernel/verdict.js';
import { BlocklistService } from '../blocklist/blocklist.service.js';
import { DisposableService } from '../disposable/disposable.service.js';
import { DisposableCandidatesService } from '../disposable/disposable-candidates.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, UsageService } from '../usage/usage.service.js';
import { AddressFactsRepository, type StoredFacts } from './domain/address-facts.repository.js';
import { classify } from './domain/address-lists.js';
import { toVerdict } from './domain/answer.js';
import { mapConcurrently } from './domain/map-concurrently.js';
import { isFree } from './domain/cost.js';
import type { DisposableOverride } from './domain/disposable-domains.js';
import { disposableMailHost } from './domain/disposable-mail-host.js';
import { parseEmailAddress, withoutSurroundingSpace, type EmailAddress } from './domain/email-address.js';
import { evidenceFromFacts } from './domain/evidence.js';
import type { JudgingRules } from './domain/judge.js';
import { factsToStore } from './domain/fact-retention.js';
import { maxProbes, ProbesInFlight, ProbesOfCall } from './domain/probes-in-flight.js';
import { evidenceFor, outcomeFor, rulesFor, SLOW_MS, type SandboxRefusal } from './domain/sandbox.js';
import type { Priority } from './domain/requester.js';
import { freshResult, type VerificationResult } from './domain/verify.js';
import { DeferralsService } from './deferrals.service.js';
import { EngineService, BATCH_ITEM_TIMEOUT_MS } from './engine.service.js';

export { inSpelling } from './domain/spelling.js';

export interface VerifyRequest {
  email: string;
  /** Probe the network even when the answer is cached. */
  refresh: boolean;
  timeoutMs: number;
  /** Default: `single`. */
  priority?: Priority;
  /** Shared by all addresses of one call; without it, it is the only one. */
  probes?: ProbesOfCall;
}

/** The caller, as far as the answer depends on it. */
export type Caller = Pick<Principal, 'teamId' | 'tier' | 'mode' | 'rules'>;

/** The verdict of an address. */
export interface CheckedAddress {
  verdict: Verdict;
  /** The network was probed; the facts are stored if they are conclusive. */
  fromNetwork: boolean;
}

/** The verdict of one item of a batch. */
export interface BatchItem extends CheckedAddress {
  /** Its position in the batch. */
  index: number;
}

/** An address to verify, with the override of its domain. */
interface VerificationContext {
  caller: Caller;
  address: EmailAddress;
  override: DisposableOverride | null;
  /** Batch items have their own concurrency limit; null: a single call. */
  batch: { known: ReadonlyMap<string, StoredFacts> } | null;
}

/** The evidence, and the rules to judge it by. */
interface JudgeableResult {
  result: VerificationResult;
  rules: JudgingRules;
}

/** `refresh` probes an address again at most this often. */
const REFRESH_AFTER_SECONDS = 60;
const DAY_SECONDS = 86_400;
/** Shorter than the lease of a recheck. */
const RECHECK = { refresh: false, timeoutMs: 60_000, priority: 'list' } as const;
const BATCH_ITEM = { timeoutMs: BATCH_ITEM_TIMEOUT_MS, priority: 'list' } as const;
/** Concurrent addresses of one chunk. */
const BATCH_CONCURRENCY = 100;

@Injectable()
export class VerificationService {
  private readonly probes = new ProbesInFlight();

  constructor(
    private readonly engine: EngineService,
    private readonly facts: AddressFactsRepository,
    private readonly deferrals: DeferralsService,
    private readonly blocklist: BlocklistService,
    private readonly disposable: DisposableService,
    private readonly candidates: DisposableCandidatesService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /** Verifies one address. Network failures are verdicts, not errors. */
  async verify(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const verdict = await this.check(caller, request);
    const retryAfter = await this.deferrals.defer(caller, verdict);
    await this.usage.charge(caller, [{ kind: 'single', status: verdict.status, free: isFree(verdict) }]);
    this.count(caller, verdict);
    return { ...verdict, retryAfter };
  }

  /** Verifies an address without charging, counting or rechecking it: the caller does so. */
  async check(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const { result, rules } = await this.obtainResult(caller, request);
    const elapsed = this.clock.monotonicMs() - start;
    return toVerdict(request.email, result, rules, this.clock.now(), elapsed);
  }

  /** The probes of a call with several addresses. */
  probesOf({ teamId, tier }: Caller): ProbesOfCall {
    return new ProbesOfCall(this.probes, teamId, maxProbes(this.tiers.get(tier).rate));
  }

  /** Verifies an address in the background, from stored facts or the network. */
  async recheck(caller: Caller, email: string): Promise<CheckedAddress> {
    const key = keyOf(email);
    const known = await this.facts.getMany(caller.teamId, key === null ? [] : [key], this.clock.now());
    return this.checkOne(caller, { email, ...RECHECK }, known);
  }

  /**
   * Verifies many addresses and yields verdicts as they complete; the consumer charges for them. Under
   * a test key, outcomes that are errors (`slow`, `rate_limited`, …) are deliverable.
   *
   * @param signal when aborted, no further address is started, so that some have no verdict.
   * @throws when the database fails; a network failure is a verdict.
   */
  async *verifyBatch(
    caller: Caller,
    emails: readonly string[],
    { refresh, signal }: { refresh: boolean; signal: AbortSignal },
  ): AsyncIterable<BatchItem> {
    const keys = caller.mode === 'live' ? emails.map(keyOf).filter((key) => key !== null) : [];
    const known = await this.facts.getMany(caller.teamId, keys, this.clock.now());
    const verifyItem = async (index: number): Promise<BatchItem | null> => {
      if (signal.aborted) return null;
      const request = { email: emails[index] ?? '', refresh, ...BATCH_ITEM };
      return { index, ...(await this.checkOne(caller, request, known)) };
    };
    for await (const item of mapConcurrently(emails.keys(), BATCH_CONCURRENCY, verifyItem))
      if (item !== null) yield item;
  }

  /** The verdict of an address that could not be checked. */
  faultVerdict(caller: Caller, email: string): Verdict {
    const parsed = parseEmailAddress(email);
    const result = parsed.ok
      ? freshResult({
          kind: 'fault',
          address: parsed.address,
          listing: classify(parsed.address, this.engine.lists, null),
        })
      : freshResult({ kind: 'syntax', fault: parsed.fault });
    return toVerdict(email, result, caller.rules, this.clock.now(), 0);
  }

  /** Whether the verdict costs nothing. */
  isFree(verdict: Verdict): boolean {
    return isFree(verdict);
  }

  /** A keyed hash that is the same for all spellings of an address; a text that is no address has one too. */
  identify(email: string): Buffer {
    return this.facts.hashOf(keyOf(email) ?? `no address: ${withoutSurroundingSpace(email)}`);
  }

  private async checkOne(
    caller: Caller,
    request: VerifyRequest,
    known: ReadonlyMap<string, StoredFacts>,
  ): Promise<CheckedAddress> {
    const start = this.clock.monotonicMs();
    const { result, rules } = await this.obtainResult(caller, request, { known });
    const elapsed = this.clock.monotonicMs() - start;
    const verdict = toVerdict(request.email, result, rules, this.clock.now(), elapsed);
    this.count(caller, verdict);
    const fromNetwork = caller.mode === 'live' && result.evidence.kind === 'asked' && !result.cached;
    return { verdict, fromNetwork };
  }

  private async obtainResult(
    caller: Caller,
    request: VerifyRequest,
    batch: VerificationContext['batch'] = null,
  ): Promise<JudgeableResult> {
    const { rules } = caller;
    const parsed = parseEmailAddress(request.email);
    if (!parsed.ok) return { result: freshResult({ kind: 'syntax', fault: parsed.fault }), rules };
    const { address } = parsed;
    const { teamId, mode } = caller;
    // One after the other: both lists are usually cached.
    const blocked = await this.blocklist.match(teamId, address.domain);
    const override = await this.disposable.override(teamId, address.domain);
    const context = { caller, address, override, batch };
    if (blocked !== null) {
      const listing = classify(address, this.engine.lists, override);
      return { result: freshResult({ kind: 'blocked', address, listing, entry: blocked }), rules };
    }
    if (mode === 'test') return this.sandboxResult(context);
    const result =
      (await this.storedResult(context, request.refresh)) ?? (await this.queryNetwork(context, request));
    return { result, rules };
  }

  /** The result of an earlier check of this team; null when there is none, or it must be refreshed. */
  private async storedResult(
    { caller, address, override, batch }: VerificationContext,
    refresh: boolean,
  ): Promise<VerificationResult | null> {
    const now = this.clock.now();
    const { key } = address;
    const stored = batch ? batch.known.get(key) : await this.facts.get(caller.teamId, key, now);
    if (!stored) return null;
    const ageSeconds = Math.max(0, Math.floor((now.getTime() - stored.observedAt.getTime()) / 1000));
    if (refresh && ageSeconds >= REFRESH_AFTER_SECONDS) return null;
    // The team may have shortened its retention since.
    if (ageSeconds >= caller.rules.retentionDays * DAY_SECONDS) return null;
    const listing = classify(address, this.engine.lists, override);
    return { evidence: evidenceFromFacts(address, listing, stored.facts), cached: true, ageSeconds };
  }

  private async queryNetwork(
    { caller, address, override, batch }: VerificationContext,
    { timeoutMs, priority = 'single', probes }: VerifyRequest,
  ): Promise<VerificationResult> {
    const start = this.clock.monotonicMs();
    const release = batch ? () => undefined : await (probes ?? this.probesOf(caller)).acquire();
    if (release === null) throw new RateLimited(1);
    const remainingMs = Math.max(1, Math.ceil(timeoutMs - (this.clock.monotonicMs() - start)));
    const requester = { owner: caller.teamId, priority };
    const result = await this.engine.verify(address, override, remainingMs, requester).finally(release);
    this.recordCandidate(address, override, result);
    const now = this.clock.now();
    const toStore = factsToStore(result.evidence, now, caller.rules);
    if (toStore === null) return result;
    const stored = { facts: toStore.facts, observedAt: now };
    await this.facts.store(caller.teamId, address.key, stored, toStore.expiresAt);
    return result;
  }

  /** Records a domain on mail servers of a disposable service as a candidate; not awaited. */
  private recordCandidate(
    { domain }: EmailAddress,
    override: DisposableOverride | null,
    { evidence }: VerificationResult,
  ): void {
    if (override !== null) return;
    const host = disposableMailHost(evidence, this.engine.lists);
    if (host !== null) this.candidates.record({ domain, mxHost: host });
  }

  /** The result for a test key: no network, no cache, no cost. */
  private async sandboxResult({
    caller,
    address,
    override,
    batch,
  }: VerificationContext): Promise<JudgeableResult> {
    const outcome = outcomeFor(address);
    if (outcome.kind === 'refusal' && !batch) return this.refuse(caller, outcome.refusal);
    const reason = outcome.kind === 'reason' ? outcome.reason : 'accepted_email';
    if (outcome.kind === 'slow' && !batch) await this.clock.pause(SLOW_MS);
    return {
      result: freshResult(evidenceFor(reason, address, this.engine.lists, override)),
      rules: rulesFor(reason, caller.rules),
    };
  }

  count({ mode }: Caller, { status, reason }: Verdict): void {
    if (mode === 'live') this.meter.count('rcpt_verdicts_total', status, reason);
  }

  private refuse(caller: Caller, refusal: SandboxRefusal): never {
    if (refusal === 'rate_limited') throw new RateLimited(1);
    if (refusal === 'quota_exceeded') throw new DailyQuotaExceeded(60);
    return this.tiers.refuse(caller.tier, 'verify');
  }
}

function keyOf(email: string): string | null {
  const parsed = parseEmailAddress(email);
  return parsed.ok ? parsed.address.key : null;
}
