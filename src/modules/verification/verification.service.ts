import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { Meter } from '../../kernel/meter.js';
import { both, then, type Soon } from '../../kernel/soon.js';
import type { Verdict } from '../../kernel/verdict.js';
import { BlocklistService } from '../blocklist/blocklist.service.js';
import { DisposableService } from '../disposable/disposable.service.js';
import { DisposableCandidatesService } from '../disposable/disposable-candidates.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, UsageService } from '../usage/usage.service.js';
import { AddressFactsRepository, type StoredFacts } from './domain/address-facts.repository.js';
import { classify } from './domain/address-lists.js';
import { answer } from './domain/answer.js';
import { mapConcurrently } from './domain/map-concurrently.js';
import { isFree } from './domain/cost.js';
import type { DisposableOverride } from './domain/disposable-domains.js';
import { throwawayHost } from './domain/throwaway-host.js';
import { parseEmailAddress, type EmailAddress } from './domain/email-address.js';
import { reread } from './domain/evidence.js';
import type { JudgingRules } from './domain/judge.js';
import { factsToStore } from './domain/fact-retention.js';
import { mostProbes, ProbesInFlight } from './domain/probes-in-flight.js';
import { DEFERRED_REASONS, nextRecheck } from './domain/recheck.js';
import { RecheckRepository } from './domain/recheck.repository.js';
import { evidenceFor, outcomeFor, rulesFor, SLOW_MS, type SandboxRefusal } from './domain/sandbox.js';
import type { Priority } from './domain/requester.js';
import { ofNow, type VerificationResult } from './domain/verify.js';
import { EngineService, ONE_OF_MANY_TIMEOUT_MS } from './engine.service.js';

export { inSpelling } from './domain/spelling.js';

export interface VerifyRequest {
  email: string;
  /** Ask the network even where the answer is known. */
  refresh: boolean;
  timeoutMs: number;
  /** Without it, it is a single call. */
  priority?: Priority;
}

/** Who asks, as far as the answer depends on it. */
export type Caller = Pick<Principal, 'teamId' | 'tier' | 'mode' | 'rules'>;

/** An address, answered. */
export interface CheckedAddress {
  verdict: Verdict;
  /** The network was asked for it: what it said is among the team's facts, if it is worth keeping. */
  asked: boolean;
}

/** One of many addresses, answered. */
export interface OneOfMany extends CheckedAddress {
  /** Its place among those asked about. */
  index: number;
}

/** An address that somebody asks about, and what is said of its domain before any list. */
interface Question {
  caller: Caller;
  address: EmailAddress;
  override: DisposableOverride | null;
  /** One of many, whose number is bounded elsewhere; null: a call of its own. */
  many: { known: ReadonlyMap<string, StoredFacts> } | null;
}

/** What was found out, and the rules to judge it by. */
interface FoundEvidence {
  finding: VerificationResult;
  rules: JudgingRules;
}

/** `refresh` renews an address at most this often. */
const REFRESH_AFTER_SECONDS = 60;
const DAY_SECONDS = 86_400;
/** Shorter than the lease of a recheck. */
const RECHECK = { refresh: false, timeoutMs: 60_000, priority: 'list' } as const;
const ROW = { timeoutMs: ONE_OF_MANY_TIMEOUT_MS, priority: 'list' } as const;
/** Addresses of one chunk that are asked about at once. */
const MANY_AT_ONCE = 100;

@Injectable()
export class VerificationService {
  private readonly probes = new ProbesInFlight();

  constructor(
    private readonly engine: EngineService,
    private readonly facts: AddressFactsRepository,
    private readonly rechecks: RecheckRepository,
    private readonly blocklist: BlocklistService,
    private readonly disposable: DisposableService,
    private readonly candidates: DisposableCandidatesService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /** Will mail to this address arrive? Whatever goes wrong on the way there is part of the answer. */
  async verify(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const { finding, rules } = await this.find(caller, request);
    const elapsed = this.clock.monotonicMs() - start;
    const verdict = answer(request.email, finding, rules, this.clock.now(), elapsed);
    const isDeferred = caller.mode === 'live' && DEFERRED_REASONS.has(verdict.reason);
    const retryAfter = isDeferred ? await this.defer(caller, verdict) : verdict.retryAfter;
    await this.usage.charge(caller, [{ kind: 'single', status: verdict.status, free: isFree(verdict) }]);
    this.count(caller, verdict);
    return { ...verdict, retryAfter };
  }

  /** A check that nobody waits for: by what was learned meanwhile, or else by asking the network. */
  async recheck(asker: Caller, email: string): Promise<CheckedAddress> {
    const key = keyOf(email);
    const known = await this.facts.getMany(asker.teamId, key === null ? [] : [key], this.clock.now());
    return this.checkOne(asker, { email, ...RECHECK }, known);
  }

  /**
   * The same for many addresses, in the order in which they are answered; whoever takes the answers
   * settles what they cost. Under a test key what is no verdict (`slow`, `rate_limited`, …) is deliverable.
   *
   * @param signal aborted: no further address is begun, so that not all are answered.
   * @throws when the database does not answer; a network that fails is an answer.
   */
  async *verifyMany(
    asker: Caller,
    emails: readonly string[],
    { refresh, signal }: { refresh: boolean; signal: AbortSignal },
  ): AsyncIterable<OneOfMany> {
    const keys = asker.mode === 'live' ? emails.map(keyOf).filter((key) => key !== null) : [];
    const known = await this.facts.getMany(asker.teamId, keys, this.clock.now());
    const one = async (index: number): Promise<OneOfMany | null> => {
      if (signal.aborted) return null;
      const request = { email: emails[index] ?? '', refresh, ...ROW };
      return { index, ...(await this.checkOne(asker, request, known)) };
    };
    for await (const answered of mapConcurrently(emails.keys(), MANY_AT_ONCE, one))
      if (answered !== null) yield answered;
  }

  /** What is said of an address that we failed to look at again and again. */
  giveUp(asker: Caller, email: string): Verdict {
    const parsed = parseEmailAddress(email);
    const finding = parsed.ok
      ? ofNow({
          kind: 'fault',
          address: parsed.address,
          listing: classify(parsed.address, this.engine.lists, null),
        })
      : ofNow({ kind: 'syntax', fault: parsed.fault });
    return answer(email, finding, asker.rules, this.clock.now(), 0);
  }

  /** Whether the answer costs nothing. */
  isFree(verdict: Verdict): boolean {
    return isFree(verdict);
  }

  /** A keyed hash that is the same for all spellings of an address; a text that is none has one too. */
  identify(email: string): Buffer {
    return this.facts.hashOf(keyOf(email) ?? `no address: ${email}`);
  }

  private async checkOne(
    asker: Caller,
    request: VerifyRequest,
    known: ReadonlyMap<string, StoredFacts>,
  ): Promise<CheckedAddress> {
    const start = this.clock.monotonicMs();
    const { finding, rules } = await this.find(asker, request, { known });
    const elapsed = this.clock.monotonicMs() - start;
    const verdict = answer(request.email, finding, rules, this.clock.now(), elapsed);
    this.count(asker, verdict);
    const asked = asker.mode === 'live' && finding.evidence.kind === 'asked' && !finding.cached;
    return { verdict, asked };
  }

  /** It will be rechecked in the background. @returns in how many seconds. */
  private async defer({ teamId, keyId, userId }: Principal, verdict: Verdict): Promise<number | null> {
    const parsed = parseEmailAddress(verdict.email);
    const firstAskedAt = this.clock.now();
    const due = nextRecheck({ firstAskedAt, attempts: 0 });
    if (!parsed.ok || due === null) return null;
    const { email, reason } = verdict;
    const check = { id: newId('chk'), teamId, email, verdict, reason, keyId, userId, firstAskedAt };
    const dueAt = await this.rechecks.add(check, parsed.address.key, due);
    return Math.max(1, Math.ceil((dueAt.getTime() - firstAskedAt.getTime()) / 1000));
  }

  /** At hand for what is known, and for a test key. */
  private find(caller: Caller, request: VerifyRequest, many: Question['many'] = null): Soon<FoundEvidence> {
    const { rules } = caller;
    const parsed = parseEmailAddress(request.email);
    if (!parsed.ok) return { finding: ofNow({ kind: 'syntax', fault: parsed.fault }), rules };
    const { address } = parsed;
    const { teamId, mode } = caller;
    const said = both(
      this.blocklist.match(teamId, address.domain),
      this.disposable.override(teamId, address.domain),
    );
    return then(said, ([blocked, override]): Soon<FoundEvidence> => {
      const question = { caller, address, override, many };
      if (blocked !== null) {
        const listing = classify(address, this.engine.lists, override);
        return { finding: ofNow({ kind: 'blocked', address, listing, entry: blocked }), rules };
      }
      if (mode === 'test') return this.rehearse(question);
      const finding = then(
        this.recall(question, request.refresh),
        (known) => known ?? this.ask(question, request),
      );
      return then(finding, (finding) => ({ finding, rules }));
    });
  }

  /** What an earlier check of this team learned; null when there is nothing, or it is to be renewed. */
  private recall(
    { caller, address, override, many }: Question,
    refresh: boolean,
  ): Soon<VerificationResult | null> {
    const now = this.clock.now();
    const known = many ? many.known.get(address.key) : this.facts.get(caller.teamId, address.key, now);
    return then(known, (kept) => {
      if (!kept) return null;
      const ageSeconds = Math.max(0, Math.floor((now.getTime() - kept.observedAt.getTime()) / 1000));
      if (refresh && ageSeconds >= REFRESH_AFTER_SECONDS) return null;
      // The team may have shortened its retention since these were kept.
      if (ageSeconds >= caller.rules.retentionDays * DAY_SECONDS) return null;
      const listing = classify(address, this.engine.lists, override);
      return { evidence: reread(address, listing, kept.facts), cached: true, ageSeconds };
    });
  }

  private async ask(
    { caller, address, override, many }: Question,
    { timeoutMs, priority = 'single' }: VerifyRequest,
  ): Promise<VerificationResult> {
    const leave = many ? () => undefined : this.enter(caller);
    const requester = { owner: caller.teamId, priority };
    const finding = await this.engine.examine(address, override, timeoutMs, requester).finally(leave);
    this.suspect(address, override, finding);
    const now = this.clock.now();
    const keep = factsToStore(finding.evidence, now, caller.rules);
    if (keep === null) return finding;
    const kept = { facts: keep.facts, observedAt: now };
    await this.facts.store(caller.teamId, address.key, kept, keep.expiresAt);
    return finding;
  }

  /** A domain on the mail servers of a disposable service is proposed to the operator; nobody waits for it. */
  private suspect(
    { domain }: EmailAddress,
    override: DisposableOverride | null,
    { evidence }: VerificationResult,
  ): void {
    if (override !== null) return;
    const host = throwawayHost(evidence, this.engine.lists);
    if (host !== null) this.candidates.record({ domain, mxHost: host });
  }

  private enter({ teamId, tier }: Caller): () => void {
    const leave = this.probes.enter(teamId, mostProbes(this.tiers.get(tier).rate));
    if (leave === null) throw new RateLimited(1);
    return leave;
  }

  /** What a test key gets: no network, no cache, no cost. */
  private rehearse({ caller, address, override, many }: Question): Soon<FoundEvidence> {
    const outcome = outcomeFor(address);
    if (outcome.kind === 'refusal' && !many) return this.refuse(caller, outcome.refusal);
    const reason = outcome.kind === 'reason' ? outcome.reason : 'accepted_email';
    const found = {
      finding: ofNow(evidenceFor(reason, address, this.engine.lists, override)),
      rules: rulesFor(reason, caller.rules),
    };
    return outcome.kind === 'slow' && !many ? this.clock.pause(SLOW_MS).then(() => found) : found;
  }

  private count({ mode }: Caller, { status, reason }: Verdict): void {
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
