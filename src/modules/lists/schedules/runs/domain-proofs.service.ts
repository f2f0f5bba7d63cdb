import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { mapConcurrently } from '../../../../kernel/concurrency/map-concurrently.js';
import type { RowResult } from '../../../../kernel/list-files/list-entry.js';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { DomainsService } from '../../../verification/verification/domains/domains.service.js';
import { DNS_PROOF_MS, isFromDnsAlone, mayBeFromDnsAlone } from '../domain/pending-result.js';
import type { Schedule, ScheduleId } from '../domain/schedule.js';
import { ScheduleMemberRepository, type DomainFinding } from '../domain/schedule-member.repository.js';
import type { PendingResult } from '../domain/schedule-row.repository.js';

/** Domains of a piece that are looked up at the same time. */
const AT_ONCE = 8;

/**
 * A resolver that is out of order says of every domain that it has no mail. So what the DNS alone has found is written
 * when it was found twice, a day apart.
 */
@Injectable()
export class DomainProofsService {
  constructor(
    private readonly members: ScheduleMemberRepository,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Postpones known results that are not proved yet, and leaves out those that are not true any more. The domains of
   * those that were found long enough ago are looked up again, which costs no quota.
   */
  async ofKnown(
    { id, teamId, onResult }: Schedule,
    results: readonly PendingResult[],
  ): Promise<PendingResult[]> {
    if (onResult !== 'blocklist_undeliverable') return [...results];
    const open = results.filter(mayBeFromDnsAlone).map(({ email }) => domainOf(email));
    const found = await this.members.listDomains(id, [...new Set(open)]);
    const isOld = ([, foundAt]: [string, Date]) =>
      this.clock.now().getTime() - foundAt.getTime() >= DNS_PROOF_MS;
    const old = [...found].filter(isOld).map(([domain]) => domain);
    const states = new Map<string, boolean | null>();
    const asked = mapConcurrently(old, AT_ONCE, async (domain): Promise<[string, boolean | null]> => [
      domain,
      await this.domains.hasMail(teamId, domain),
    ]);
    for await (const [domain, hasMail] of asked) states.set(domain, hasMail);
    const recovered = old.filter((domain) => states.get(domain) === true);
    await this.members.forgetDomains(id, recovered);
    return results.flatMap((result) => {
      const domain = domainOf(result.email);
      if (!mayBeFromDnsAlone(result) || !found.has(domain)) return result;
      if (states.get(domain) === true) return [];
      return { ...result, isPostponed: states.get(domain) !== false };
    });
  }

  /** Records what the DNS has found, within the open unit of work. @returns the domains that are proved to have no mail. */
  async record(id: ScheduleId, rows: readonly RowResult[], keptDays: number): Promise<ReadonlySet<string>> {
    const findings = new Map<string, DomainFinding>();
    const recovered = new Set<string>();
    for (const { verdict } of rows) {
      if (verdict === null || verdict.domain === null) continue;
      const { domain, dns, verifiedAt: foundAt } = verdict;
      if (isFromDnsAlone(verdict)) findings.set(domain, { domain, foundAt });
      else if (dns.mxFound === true || dns.implicitMx === true) recovered.add(domain);
    }
    for (const domain of findings.keys()) recovered.delete(domain);
    await this.members.forgetDomains(id, [...recovered]);
    await this.members.recordDomains(id, [...findings.values()], keptDays);
    const first = await this.members.listDomains(id, [...findings.keys()]);
    const isProved = ({ domain, foundAt }: DomainFinding) =>
      foundAt.getTime() - (first.get(domain) ?? foundAt).getTime() >= DNS_PROOF_MS;
    return new Set([...findings.values()].filter(isProved).map(({ domain }) => domain));
  }
}

function domainOf(email: string): string {
  const parsed = parseEmailAddress(email);
  return parsed.ok ? parsed.address.domain : '';
}
