import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { PUBLISHABLE_SHARE, type Principal, type TeamId } from '../../../../kernel/principal.js';
import { RateLimited } from '../../../../kernel/errors.js';
import { Meter } from '../../../../kernel/meter.js';
import { Pause } from '../../../../kernel/service-state/pause.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { PolicyService } from '../../policy/policy.service.js';
import { TiersService } from '../../../identity/tiers/tiers.service.js';
import {
  DailyQuotaExceeded,
  isFree,
  UsageService,
  type ChargeableVerdict,
} from '../../../identity/usage/usage.service.js';
import { toVerdict } from '../../../../engine/judge.js';
import { parseEmailAddress, type EmailAddress } from '../../../../engine/address/email-address.js';
import { maxProbes, ProbesInFlight, ProbesOfCall } from '../domain/probes-in-flight.js';
import { outcomeName, rulesFor } from '../domain/sandbox.js';
import type { RecordedRequester, SmtpTranscript } from '../../../../engine/smtp/smtp-transcript.js';
import type { Evidence } from '../../../../engine/evidence.js';
import { RechecksService } from '../rechecks/rechecks.service.js';
import { AddressFactsService } from '../facts/address-facts.service.js';
import { Engine } from '../../../../engine/engine.js';
import { BlocklistService } from '../../blocklist/blocklist.service.js';
import { DisposableService } from '../../disposable/disposable.service.js';
import { factsToStore, type ProbedAddress } from '../domain/fact-retention.js';
import {
  internalErrorResult,
  LocalResults,
  withKnowledge,
  type Caller,
  type KnownAddress,
  type MayVerify,
  type Unresolved,
} from '../domain/local-results.js';
import { disposableMailHost } from '../../../../engine/disposable-mail-host.js';

export type { Caller } from '../domain/local-results.js';
export { inSpelling } from '../../../../engine/address/email-address.js';

export interface VerifyOptions {
  /** Stored facts that are older are not used, in seconds; 0: `refresh`; null: they are used until they expire. */
  maxAge: number | null;
  /** For all addresses of the call together. */
  timeoutMs: number;
  /** Called before facts are read or the network is probed; default: every address may be verified. */
  mayVerify?: MayVerify;
  /** Records the SMTP dialogue of a call with one address. */
  transcript?: SmtpTranscript | undefined;
}

export interface CheckedAddress {
  verdict: Verdict;
  /** The network was probed with a live key; the facts are stored if they are conclusive. */
  fromNetwork: boolean;
}

/** Shorter than the lease of a recheck. */
const RECHECK_TIMEOUT_MS = 60_000;
/** Delay of the outcome `slow` of test keys. */
const SLOW_MS = 2_000;
const BUSY = 'This team has as many verifications under way as it may at the same time.';
const SIMULATED = 'The address asks the test key for this error; a live key says which limit is reached.';

/** Without the network. */
type LocalResult = { done: Evidence } | { done: null; left: Unresolved };

interface CallContext {
  probes: ProbesOfCall;
  options: VerifyOptions;
  /** When the call began. */
  start: number;
}

@Injectable()
export class VerificationService {
  private readonly probes = new ProbesInFlight();

  constructor(
    private readonly engine: Engine,
    private readonly blocklist: BlocklistService,
    private readonly disposable: DisposableService,
    private readonly facts: AddressFactsService,
    private readonly rechecks: RechecksService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly policy: PolicyService,
    private readonly pause: Pause,
    private readonly clock: Clock,
    private readonly meter: Meter,
  ) {}

  /**
   * Verifies and charges each address, in the given order. All are charged, or none is. Network failures are verdicts,
   * not errors.
   *
   * @throws UpgradeRequired when the tier does not include `refresh`, or so small an age; DailyQuotaExceeded, RateLimited, Paused
   */
  async verify(caller: Principal, emails: readonly string[], options: VerifyOptions): Promise<Verdict[]> {
    if (caller.mode === 'live') {
      this.pause.requireActive();
      this.tiers.requireMaxAge(caller.tier, options.maxAge);
    }
    const start = this.clock.monotonicMs();
    const found = await this.localResultsOf(caller, emails, options);
    const probes = this.probesOf(caller);
    // In one step: the call is refused before an address is probed, or not at all.
    const checks = emails.map((email, n) => this.check(caller, email, found[n]!, { probes, options, start }));
    return this.chargeAndDefer(caller, await Promise.all(checks));
  }

  /**
   * Charges, counts, defers and decides. The addresses have been charged, so a recheck that cannot be stored does not
   * cost the verdict.
   */
  private async chargeAndDefer(caller: Principal, verdicts: readonly Verdict[]): Promise<Verdict[]> {
    const decide = await this.policy.decider(caller.teamId);
    await this.usage.charge(caller, verdicts.map(toChargeable));
    for (const verdict of verdicts) this.count(caller, verdict);
    const deferrals = verdicts.map((verdict) => this.rechecks.defer(caller, verdict).catch(() => null));
    const retryAfter = await Promise.all(deferrals);
    return verdicts.map((verdict, n) => decide({ ...verdict, retryAfter: retryAfter[n] ?? null }));
  }

  /** Verifies an address without charging, counting or deferring it. */
  private async check(
    caller: Principal,
    email: string,
    local: LocalResult,
    { probes, options: { timeoutMs, transcript }, start }: CallContext,
  ): Promise<Verdict> {
    if (local.done !== null) {
      if (caller.mode === 'test') await this.simulateErrors(caller, local.done);
      return this.verdictOf(caller, email, local.done, start);
    }
    const release = await probes.acquire();
    if (release === null) throw new RateLimited(1, BUSY);
    const remainingMs = Math.max(1, Math.ceil(timeoutMs - (this.clock.monotonicMs() - start)));
    const requester = { team: caller.teamId, priority: 'single', transcript } as const;
    // Released before the facts are saved: a slow database must not use up the probes of the team.
    const probed = await this.probe(caller, local.left, remainingMs, requester).finally(release);
    return this.verdictOf(caller, email, await this.save(caller, probed), start);
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
    const [local] = await this.localResultsOf(caller, [email], { maxAge: null });
    const requester = { team: caller.teamId, priority: 'list' } as const;
    if (local!.done !== null) return this.checked(caller, email, local!.done, start);
    const probed = await this.probe(caller, local!.left, RECHECK_TIMEOUT_MS, requester);
    return this.checked(caller, email, await this.save(caller, probed), start);
  }

  /** Counts the verdict of an address of a list. @param startMs when its verification started. */
  checked(caller: Caller, email: string, evidence: Evidence, startMs: number): CheckedAddress {
    const verdict = this.verdictOf(caller, email, evidence, startMs);
    this.count(caller, verdict);
    const isNew = evidence.kind === 'probed' && !verdict.cached;
    return { verdict, fromNetwork: caller.mode === 'live' && isNew };
  }

  /** The verdict of an address that could not be checked. */
  internalErrorVerdict(caller: Caller, email: string): Verdict {
    const evidence = internalErrorResult(parseEmailAddress(email), this.engine.lists);
    return this.verdictOf(caller, email, evidence, this.clock.monotonicMs());
  }

  private verdictOf({ mode, rules }: Caller, email: string, evidence: Evidence, startMs: number): Verdict {
    const judgingRules = this.engine.judgingRules(mode === 'test' ? rulesFor(evidence, rules) : rules);
    return toVerdict(email, evidence, judgingRules, this.clock.now(), this.clock.monotonicMs() - startMs);
  }

  /** Stored facts of several addresses are read with one look-up. */
  private async localResultsOf(
    caller: Caller,
    emails: readonly string[],
    { maxAge, mayVerify }: Pick<VerifyOptions, 'maxAge' | 'mayVerify'>,
  ): Promise<LocalResult[]> {
    const local = await this.localResults(caller);
    const first = await Promise.all(
      emails.map(async (email): Promise<Evidence | EmailAddress> => {
        const parsed = parseEmailAddress(email);
        if (!parsed.ok) return { kind: 'syntax', error: parsed.error };
        const { address } = parsed;
        const limited = mayVerify && (() => local.limited(address, mayVerify));
        return local.withoutFacts(address) ?? (await limited?.()) ?? address;
      }),
    );
    const keys = first.flatMap((one) => ('key' in one ? [one.key] : []));
    const known = keys.length === 0 ? null : await this.knownOf(caller.teamId, [...new Set(keys)]);
    return first.map((one) => {
      if (known === null || !('key' in one)) return { done: one as Evidence };
      const left = { address: one, known: known(one.key), override: local.override(one.domain) };
      const done = local.fromStored(one, left.known, maxAge, this.clock.now());
      return done === null ? { done, left } : { done };
    });
  }

  /** One address is looked up in the memory of the process first. */
  private async knownOf(team: TeamId, keys: readonly string[]): Promise<(key: string) => KnownAddress> {
    const [only] = keys;
    if (only === undefined || keys.length > 1) return this.facts.findMany(team, keys);
    const known = await this.facts.find(team, only);
    return () => known;
  }

  /** By the current decisions of the team and the operator about domains. */
  async localResults(caller: Caller): Promise<LocalResults> {
    // One after the other: both lists are usually cached.
    const blocked = await this.blocklist.matcher(caller.teamId);
    const override = await this.disposable.matcher(caller.teamId);
    return new LocalResults(caller, this.engine.lists, blocked, override);
  }

  /** Probes an address of a list. It may have waited for minutes, so the decisions about its domain are read again. */
  async query(
    caller: Caller,
    { address, known }: Omit<Unresolved, 'override'>,
    timeoutMs: number,
    requester: RecordedRequester,
  ): Promise<ProbedAddress> {
    const local = await this.localResults(caller);
    const blocked = local.withoutFacts(address);
    if (blocked !== null) return { evidence: blocked, factsToStore: [] };
    const left = { address, known, override: local.override(address.domain) };
    return this.probe(caller, left, timeoutMs, requester);
  }

  /** Verifies an address through DNS and SMTP. Network failures are results. */
  private async probe(
    caller: Caller,
    { address, known, override }: Unresolved,
    timeoutMs: number,
    requester: RecordedRequester,
  ): Promise<ProbedAddress> {
    const evidence = await this.engine.verify(address, override, timeoutMs, requester);
    // A domain on mail servers of a disposable service is a candidate.
    const mxHost = override === null ? disposableMailHost(evidence, this.engine.lists) : null;
    if (mxHost !== null) this.disposable.propose(address.domain, mxHost);
    const rules = this.engine.judgingRules(caller.rules);
    const facts = factsToStore(evidence, this.clock.now(), caller.rules.retentionDays, rules);
    return { evidence: withKnowledge(evidence, known), factsToStore: facts };
  }

  private async save({ teamId }: Caller, probed: ProbedAddress): Promise<Evidence> {
    if (probed.factsToStore.length > 0) await this.facts.save(teamId, probed.factsToStore);
    return probed.evidence;
  }

  /** Outcomes of test keys that are errors or delays; a blocked domain takes precedence. */
  private async simulateErrors({ tier }: Caller, evidence: Evidence): Promise<void> {
    if (evidence.kind === 'syntax' || evidence.kind === 'blocked') return;
    const name = outcomeName(evidence.address);
    if (name === 'rate_limited') throw new RateLimited(1, SIMULATED);
    if (name === 'quota_exceeded') throw new DailyQuotaExceeded(60);
    if (name === 'upgrade_required') this.tiers.refuse(tier, 'verify');
    if (name === 'slow') await this.clock.pause(SLOW_MS);
  }

  /** Counts a verdict, and remembers it for its outcome. */
  private count({ mode, teamId }: Caller, verdict: Verdict): void {
    if (mode !== 'live') return;
    this.meter.count('rcpt_verdicts_total', verdict.status, verdict.reason);
    this.facts.remember(teamId, verdict);
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
