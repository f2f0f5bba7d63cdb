import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { UniqueBy } from '../../../../kernel/list-files/list-format.js';
import { canonicalEmail } from '../../../../engine/address/canonical-email.js';
import { parseEmailAddress, type AddressSyntaxError } from '../../../../engine/address/email-address.js';
import type { KnownCatchAll } from '../../../../engine/published/domain-facts.js';
import { Engine } from '../../../../engine/engine.js';
import { evidenceFromFacts } from '../../../../engine/evidence.js';
import { classify } from '../../../../engine/lists/address-lists.js';
import { toVerdict } from '../../../../engine/judge.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { TeamStatisticsService } from '../../outcomes/team-statistics.service.js';
import { OutcomesService } from '../../outcomes/outcomes.service.js';
import { BlocklistService } from '../../blocklist/blocklist.service.js';
import { DisposableService } from '../../disposable/disposable.service.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { AddressFactsRepository, type FactsRecord } from '../domain/address-facts.repository.js';
import { domainKeyOf } from '../domain/fact-retention.js';
import type { KnownAddress } from '../domain/local-results.js';
import { RecheckRepository } from '../domain/recheck.repository.js';

/** Where an address belongs within a list. */
export interface ListKey {
  /**
   * Four bytes that are the same for all addresses of a domain, then `identify`; in hexadecimal. In the
   * order of the keys, the addresses of a domain are neighbours.
   */
  addressKey: string;
  /** Whose mail servers the domain has; null: not known without a request. */
  provider: string | null;
  /** Why the text is no address; null: it is one. */
  error: AddressSyntaxError | null;
}

/** The key of texts that are no addresses begins with it. */
const NO_DOMAIN = '00000000';

/** What is stored about addresses, under their keyed hashes: facts of the network, and outcomes of the team's mails. */
@Injectable()
export class AddressFactsService {
  constructor(
    private readonly facts: AddressFactsRepository,
    private readonly outcomes: OutcomesService,
    private readonly statistics: TeamStatisticsService,
    private readonly disposable: DisposableService,
    private readonly blocklist: BlocklistService,
    private readonly rechecks: RecheckRepository,
    private readonly teams: TeamsService,
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /** @param key `EmailAddress.key`. */
  async find(teamId: TeamId, key: string): Promise<KnownAddress> {
    const [facts, histories, statistics] = await Promise.all([
      this.facts.find(teamId, key, this.clock.now()),
      this.outcomes.histories(teamId, [key]),
      this.statistics.of(teamId),
    ]);
    return { facts, history: histories.get(key) ?? null, statistics };
  }

  /** The same for several addresses, by key. */
  async findMany(teamId: TeamId, keys: readonly string[]): Promise<(key: string) => KnownAddress> {
    const [facts, histories, statistics] = await Promise.all([
      this.facts.list(teamId, keys, this.clock.now()),
      this.outcomes.histories(teamId, keys),
      this.statistics.of(teamId),
    ]);
    return (key) => ({
      facts: facts.get(key) ?? null,
      history: histories.get(key) ?? null,
      statistics,
    });
  }

  /** Whether a domain is catch-all, as a verification of the team has shown in the last day; null: not known. */
  async findCatchAll(teamId: TeamId, domain: string): Promise<KnownCatchAll | null> {
    const now = this.clock.now();
    const stored = await this.facts.find(teamId, domainKeyOf(domain), now);
    if (stored === null) return null;
    const { facts, observedAt } = stored;
    return { catchAll: facts.catchAll === 'yes', ageMs: now.getTime() - observedAt.getTime() };
  }

  save(teamId: TeamId, records: readonly FactsRecord[]): Promise<void> {
    return this.facts.save(teamId, records);
  }

  /** Remembers a verdict, so that an outcome finds it. */
  remember(teamId: TeamId, verdict: Verdict): void {
    this.statistics.remember(teamId, verdict);
  }

  /**
   * Stores the verdicts that outcomes are about to find: those that this process still holds, and those of stored
   * facts, because before its first outcome no verdict of a team is remembered. Not inside a unit of work.
   */
  async rememberStored(teamId: TeamId, emails: readonly string[]): Promise<void> {
    await this.statistics.flush(teamId);
    const parsed = emails.map(parseEmailAddress).filter((result) => result.ok);
    const keys = [...new Set(parsed.map(({ address }) => address.key))];
    const stored = await this.facts.list(teamId, keys, this.clock.now());
    if (stored.size === 0) return;
    const access = await this.teams.access(teamId, null);
    if (access === null) return;
    const override = await this.disposable.matcher(teamId);
    const rules = this.engine.judgingRules(access.rules);
    const verdicts = parsed.flatMap(({ address }) => {
      const known = stored.get(address.key);
      if (known === undefined) return [];
      const listing = classify(address, this.engine.lists, override(address.domain));
      const evidence = evidenceFromFacts(address, listing, known.facts);
      return toVerdict(address.normalized, evidence, rules, known.observedAt, 0);
    });
    await this.statistics.rememberEarlier(teamId, verdicts);
  }

  /** A keyed hash that is the same for all spellings of an address; a text that is no address has one too. */
  identify(email: string): Buffer {
    return Buffer.from(this.facts.hashOf(this.engine.identify(email)), 'hex');
  }

  /** In hexadecimal, since a buffer for each of a million addresses takes longer. */
  listKey(email: string): ListKey {
    const parsed = parseEmailAddress(email);
    const hash = this.facts.hashOf(this.engine.identify(email));
    if (!parsed.ok) return { addressKey: NO_DOMAIN + hash, provider: null, error: parsed.error };
    const { domain } = parsed.address;
    const addressKey = this.facts.domainHashOf(domain) + hash;
    return { addressKey, provider: this.engine.providerOf(domain), error: null };
  }

  /**
   * `listKey` of the rows of a list: by mailbox, all addresses with the same `canonicalEmail` are in one place. An
   * address stays by itself if the team or the operator has decided about its domain or that of its mailbox, because
   * the decision would apply to others, or not to it.
   */
  async listKeys(teamId: TeamId, uniqueBy: UniqueBy): Promise<(email: string) => ListKey> {
    if (uniqueBy === 'address') return (email) => this.listKey(email);
    const blocked = await this.blocklist.matcher(teamId);
    const override = await this.disposable.matcher(teamId);
    return (email) => {
      const parsed = parseEmailAddress(email);
      const canonical = parsed.ok ? canonicalEmail(parsed.address) : null;
      if (!parsed.ok || canonical === null) return this.listKey(email);
      const domains = [parsed.address.domain, canonical.slice(canonical.lastIndexOf('@') + 1)];
      const isDecided = domains.some((domain) => blocked(domain) !== null || override(domain) !== null);
      return this.listKey(isDecided ? email : canonical);
    };
  }

  /** The keys under which an address may be in lists: its own, and that of its mailbox if it is another one. */
  keysOf(email: string): [own: Buffer, ofMailbox?: Buffer] {
    const parsed = parseEmailAddress(email);
    const canonical = parsed.ok ? canonicalEmail(parsed.address) : null;
    const own = Buffer.from(this.listKey(email).addressKey, 'hex');
    if (canonical === null) return [own];
    const ofMailbox = Buffer.from(this.listKey(canonical).addressKey, 'hex');
    return ofMailbox.equals(own) ? [own] : [own, ofMailbox];
  }

  /** Deletes the team's facts observed up to then. @param hashes from `identify`. */
  deleteUntil(teamId: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    return this.facts.deleteUntil(teamId, hashes, until);
  }

  /**
   * Deletes the stored data of all teams about all spellings of an address. Each step commits on its own, and the
   * call can be repeated. @returns the counts of deleted records.
   */
  async erase(email: string): Promise<{ facts: number; outcomes: number; deferredChecks: number }> {
    const parsed = parseEmailAddress(email);
    const hash = this.identify(email);
    // Rechecks first: one that completes in between would store new facts.
    const deferredChecks = await this.rechecks.deleteByAddress(hash);
    let facts = 0;
    let outcomes = 0;
    for await (const teams of this.teams.allIds()) {
      facts += await this.facts.deleteByAddress(teams, hash);
      if (parsed.ok) outcomes += await this.outcomes.eraseAddress(teams, parsed.address.key);
    }
    return { facts, outcomes, deferredChecks };
  }
}
