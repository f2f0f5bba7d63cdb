import type { Principal } from '../../../kernel/principal.js';
import type {
  EmailAddress,
  ParsedAddress,
  AddressSyntaxError,
} from '../../../engine/address/email-address.js';
import { evidenceFromFacts } from '../../../engine/evidence.js';
import type { JudgingRules } from '../../../engine/judge.js';
import { classify, type ListEntry } from '../../../engine/lists/address-lists.js';
import type { DisposableOverride, DomainLists } from '../../../engine/lists/domain-list.js';
import { freshResult, type VerificationResult } from '../../../engine/verify.js';
import type { AddressHistory } from '../../../kernel/outcomes.js';
import type { TeamExperience } from '../../../kernel/team-experience.js';
import type { StoredFacts } from './address-facts.repository.js';
import { evidenceFor, outcomeFor, reasonOf, rulesFor } from './sandbox.js';

/** The caller, as far as the verdict depends on it. */
export type Caller = Pick<Principal, 'teamId' | 'tier' | 'mode' | 'rules'>;

/** The decisions of the team and the operator about domains. */
export interface DomainRules {
  /** The entry of the team's blocklist that covers a domain. */
  blocked: (domain: string) => ListEntry | null;
  /** The override of a domain: the team's, or the operator's. */
  override: (domain: string) => DisposableOverride | null;
}

/** The evidence, and the rules to judge it by. */
export interface JudgeableResult {
  result: VerificationResult;
  rules: JudgingRules;
}

/** What is stored about an address. */
export interface KnownAddress {
  facts: StoredFacts | null;
  /** null: the team has no outcomes of the address. */
  history: AddressHistory | null;
  /** What outcomes show about others. */
  experience: TeamExperience;
}

/** Whether an address may be verified. @param isFree its domain belongs to a mailbox provider. */
export type MayVerify = (address: EmailAddress, isFree: boolean) => Promise<boolean>;

/** `refresh` probes an address again at most this often. */
const REFRESH_AFTER_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Results that need no network: syntax errors, blocked domains, outcomes of test keys, and stored facts. */
export class LocalResults {
  constructor(private readonly lists: DomainLists) {}

  /** The result for a text that is no address. */
  ofSyntax({ rules }: Caller, error: AddressSyntaxError): JudgeableResult {
    return { result: freshResult({ kind: 'syntax', error }), rules };
  }

  /** The result for a blocked domain or a test key; null: facts are needed. */
  withoutFacts({ mode, rules }: Caller, address: EmailAddress, domains: DomainRules): JudgeableResult | null {
    const entry = domains.blocked(address.domain);
    if (entry !== null) {
      const listing = classify(address, this.lists, domains.override(address.domain));
      return { result: freshResult({ kind: 'blocked', address, listing, entry }), rules };
    }
    return mode === 'test' ? this.sandbox(rules, address, domains.override(address.domain)) : null;
  }

  /** The result of a bounce, or from stored facts; null when there are none, or they must be refreshed. */
  fromStored(
    { rules }: Caller,
    address: EmailAddress,
    override: DisposableOverride | null,
    known: KnownAddress,
    refresh: boolean,
    now: Date,
  ): JudgeableResult | null {
    const { facts: stored, history } = known;
    if (history !== null && history.bouncedAt !== null) {
      const listing = classify(address, this.lists, override);
      const evidence = { kind: 'bounced', address, listing } as const;
      const result = { evidence, cached: true, ageSeconds: secondsSince(history.bouncedAt, now) };
      return { result: withKnowledge(result, known), rules };
    }
    if (stored === null) return null;
    const { facts, observedAt } = stored;
    const ageSeconds = secondsSince(observedAt, now);
    if (refresh && ageSeconds >= REFRESH_AFTER_SECONDS) return null;
    // The team may have shortened its retention since.
    if (ageSeconds >= rules.retentionDays * DAY_SECONDS) return null;
    const listing = classify(address, this.lists, override);
    const evidence = evidenceFromFacts(address, listing, facts);
    return { result: withKnowledge({ evidence, cached: true, ageSeconds }, known), rules };
  }

  /**
   * The result for an address that a publishable key may not verify; null when it may. The verdict of a
   * disposable domain is always returned, because it does not depend on the mailbox.
   */
  async limited(
    { rules }: Caller,
    address: EmailAddress,
    override: DisposableOverride | null,
    mayVerify: MayVerify,
  ): Promise<JudgeableResult | null> {
    const listing = classify(address, this.lists, override);
    if (listing.disposable !== null || (await mayVerify(address, listing.checks.free))) return null;
    return { result: freshResult({ kind: 'rate_limited', address, listing }), rules };
  }

  /** The result for an address that could not be checked. */
  ofInternalError(parsed: ParsedAddress): VerificationResult {
    if (!parsed.ok) return freshResult({ kind: 'syntax', error: parsed.error });
    const { address } = parsed;
    return freshResult({ kind: 'internal_error', address, listing: classify(address, this.lists, null) });
  }

  /** No network, no cache, no cost. Outcomes that are errors (`slow`, `quota_exceeded`, …) are deliverable. */
  private sandbox(
    rules: JudgingRules,
    address: EmailAddress,
    override: DisposableOverride | null,
  ): JudgeableResult {
    const reason = reasonOf(outcomeFor(address));
    return {
      result: freshResult(evidenceFor(reason, address, override)),
      rules: rulesFor(reason, rules),
    };
  }
}

/** Adds what outcomes show. */
export function withKnowledge(
  result: VerificationResult,
  { history, experience }: Pick<KnownAddress, 'history' | 'experience'>,
): VerificationResult {
  const evidence = { ...result.evidence, experience, ...(history && { history }) };
  return { ...result, evidence };
}

function secondsSince(time: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000));
}
