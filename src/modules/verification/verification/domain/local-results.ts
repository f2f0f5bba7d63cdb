import type { Principal } from '../../../../kernel/principal.js';
import type { EmailAddress, ParsedAddress } from '../../../../engine/address/email-address.js';
import { evidenceFromFacts, type Evidence } from '../../../../engine/evidence.js';
import { classify, type ListEntry } from '../../../../engine/lists/address-lists.js';
import type { DisposableOverride, DomainLists } from '../../../../engine/lists/domain-list.js';
import type { AddressHistory } from '../../../../kernel/outcomes.js';
import type { TeamStatistics } from '../../../../kernel/team-statistics.js';
import type { StoredFacts } from './address-facts.repository.js';
import { evidenceFor, reasonFor } from './sandbox.js';
import { DAY_SECONDS } from '../../../../kernel/durations.js';

/** The caller, as far as the verdict depends on it. */
export type Caller = Pick<Principal, 'teamId' | 'tier' | 'mode' | 'rules'>;

/** An address for which there is no local result. */
export interface Unresolved {
  address: EmailAddress;
  known: KnownAddress;
  /** The decision about its domain. */
  override: DisposableOverride | null;
}

/** What is stored about an address. */
export interface KnownAddress {
  facts: StoredFacts | null;
  /** null: the team has no outcomes of the address. */
  history: AddressHistory | null;
  /** What outcomes show about others. */
  statistics: TeamStatistics;
}

/** Whether an address may be verified. @param isFree its domain belongs to a mailbox provider. */
export type MayVerify = (address: EmailAddress, isFree: boolean) => Promise<boolean>;

/** An address is probed again at most this often, whatever age is asked for. */
const PROBE_AGAIN_AFTER_SECONDS = 60;

/** Results that need no network: blocked domains, outcomes of test keys, bounces, and stored facts. */
export class LocalResults {
  constructor(
    private readonly caller: Caller,
    private readonly lists: DomainLists,
    /** The entry of the team's blocklist that covers a domain. */
    private readonly blocked: (domain: string) => ListEntry | null,
    /** The override of a domain: the team's, or the operator's. */
    readonly override: (domain: string) => DisposableOverride | null,
  ) {}

  /** The result for an address whose stored facts were read; null: the network is needed. */
  of(
    parsed: ParsedAddress,
    known: (key: string) => KnownAddress,
    maxAge: number | null,
    now: Date,
  ): Evidence | null {
    if (!parsed.ok) return { kind: 'syntax', error: parsed.error };
    const { address } = parsed;
    return this.withoutFacts(address) ?? this.fromStored(address, known(address.key), maxAge, now);
  }

  /** The result for a blocked domain or a test key; null: facts are needed. */
  withoutFacts(address: EmailAddress): Evidence | null {
    const entry = this.blocked(address.domain);
    if (entry !== null) return { kind: 'blocked', address, listing: this.classify(address), entry };
    if (this.caller.mode !== 'test') return null;
    return evidenceFor(reasonFor(address), address, this.override(address.domain));
  }

  /**
   * The result of a bounce, or from stored facts; null when there are none, or they are older than `maxAge` seconds.
   */
  fromStored(address: EmailAddress, known: KnownAddress, maxAge: number | null, now: Date): Evidence | null {
    const { facts: stored, history } = known;
    if (history !== null && history.bouncedAt !== null) {
      const ageSeconds = secondsSince(history.bouncedAt, now);
      const listing = this.classify(address);
      return withKnowledge({ kind: 'bounced', address, listing, cached: true, ageSeconds }, known);
    }
    if (stored === null) return null;
    const ageSeconds = secondsSince(stored.observedAt, now);
    if (maxAge !== null && ageSeconds > maxAge && ageSeconds >= PROBE_AGAIN_AFTER_SECONDS) return null;
    // The team may have shortened its retention since.
    if (ageSeconds >= this.caller.rules.retentionDays * DAY_SECONDS) return null;
    const evidence = evidenceFromFacts(address, this.classify(address), stored.facts);
    return withKnowledge({ ...evidence, cached: true, ageSeconds }, known);
  }

  /**
   * The result for an address that a publishable key may not verify; null when it may. The verdict of a
   * disposable domain is always returned, because it does not depend on the mailbox.
   */
  async limited(address: EmailAddress, mayVerify: MayVerify): Promise<Evidence | null> {
    const listing = this.classify(address);
    if (listing.disposable !== null || (await mayVerify(address, listing.checks.free))) return null;
    return { kind: 'rate_limited', address, listing };
  }

  private classify(address: EmailAddress) {
    return classify(address, this.lists, this.override(address.domain));
  }
}

/** The result for an address that could not be checked. */
export function internalErrorResult(parsed: ParsedAddress, lists: DomainLists): Evidence {
  if (!parsed.ok) return { kind: 'syntax', error: parsed.error };
  const { address } = parsed;
  return { kind: 'internal_error', address, listing: classify(address, lists, null) };
}

/** Adds what outcomes show. */
export function withKnowledge(
  evidence: Evidence,
  { history, statistics }: Pick<KnownAddress, 'history' | 'statistics'>,
): Evidence {
  return { ...evidence, statistics, ...(history && { history }) };
}

function secondsSince(time: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000));
}
