import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { Principal, TeamId } from '../../../../kernel/principal.js';
import { Pause } from '../../../../kernel/service-state/pause.js';
import type { Checks } from '../../../../kernel/verdict.js';
import { DomainLookUp } from '../../../../engine/domain-look-up.js';
import type { DomainFacts } from '../../../../engine/published/domain-facts.js';
import { Engine } from '../../../../engine/engine.js';
import { dnsEvidenceOf } from '../../../../engine/judge.js';
import { checksOfDomain } from '../../../../engine/lists/address-lists.js';
import { BlocklistService } from '../../blocklist/blocklist.service.js';
import { DisposableService } from '../../disposable/disposable.service.js';
import { PolicyService } from '../../policy/policy.service.js';
import { AddressFactsService } from '../facts/address-facts.service.js';
import { simulatedDomain } from '../domain/domain-sandbox.js';

/** The facts with the lists and the decisions of the team. */
export interface DomainReport {
  facts: DomainFacts;
  checks: Pick<Checks, 'disposable' | 'privacyRelay' | 'free'>;
  /** Why the team rejects addresses of the domain, as in `policy.rule` of a verdict; null: it does not. */
  rejectedBy: string | null;
  checkedAt: Date;
}

/** For all look-ups of a call together. */
const TIMEOUT_MS = 8_000;

@Injectable()
export class DomainsService {
  constructor(
    private readonly lookUp: DomainLookUp,
    private readonly engine: Engine,
    private readonly facts: AddressFactsService,
    private readonly blocklist: BlocklistService,
    private readonly disposable: DisposableService,
    private readonly policy: PolicyService,
    private readonly pause: Pause,
    private readonly clock: Clock,
  ) {}

  /** @param domain A-labels, lower case, no final dot. @throws Paused */
  async find({ teamId, mode }: Principal, domain: string): Promise<DomainReport> {
    if (mode === 'live') this.pause.requireActive();
    const blocked = await this.blocklist.matcher(teamId);
    const override = await this.disposable.matcher(teamId);
    const requester = { team: teamId, priority: 'single' } as const;
    const simulated = mode === 'test' ? simulatedDomain(domain) : null;
    const found =
      simulated?.facts ?? (await this.lookUp.find(domain, AbortSignal.timeout(TIMEOUT_MS), requester));
    const isProbed = simulated === null && found.route.kind === 'hosts';
    const shown = isProbed ? await this.facts.findCatchAll(teamId, domain) : null;
    const facts = { ...found, known: shown ?? found.known };
    const decided = override(domain);
    const checks = checksOfDomain(domain, this.engine.lists, decided);
    if (simulated !== null) checks.privacyRelay = simulated.privacyRelay;
    if (simulated !== null && decided === null) checks.disposable = simulated.disposable;
    const entry = blocked(domain);
    const rejectedBy =
      entry === null ? await this.rejectionOf(teamId, facts, checks) : `blocklist:${entry.pattern}`;
    return { facts, checks, rejectedBy, checkedAt: this.clock.now() };
  }

  /** Whether a domain has a mail server by the DNS, now; null: the DNS does not say. It costs no quota. */
  async hasMail(team: TeamId, domain: string): Promise<boolean | null> {
    const requester = { team, priority: 'list' } as const;
    const { kind } = await this.lookUp.findRoute(domain, AbortSignal.timeout(TIMEOUT_MS), requester);
    return kind === 'dns_error' ? null : kind === 'hosts';
  }

  private rejectionOf(
    teamId: string,
    { domain, route, known }: DomainFacts,
    checks: DomainReport['checks'],
  ): Promise<string | null> {
    const ofAddress = { role: false, subaddress: false, noReply: false };
    const ofMailbox = { catchAll: known.catchAll, mailboxFull: null, disabled: null, smtputf8: null };
    const about = { domain, dns: dnsEvidenceOf(route), checks: { ...checks, ...ofAddress, ...ofMailbox } };
    return this.policy.rejectionOf(teamId, about);
  }
}
