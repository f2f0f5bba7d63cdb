import type { DnsRequester, MailRoute, MxResolver } from './dns/mx-resolver.js';
import type { TextResolver } from './dns/text-resolver.js';
import { findDmarc } from './published/dmarc.js';
import { UNKNOWN_CATCH_ALL, withoutRecords, type DomainFacts } from './published/domain-facts.js';
import { mtaStsOf, spfOf } from './published/published-records.js';
import { isNeverCatchAll } from './providers/mail-exchange.js';
import { invalidDomainRule, trustedRoute } from './verify.js';

/** Looks up what a domain publishes about its mail, by the DNS alone: no mail server is contacted. */
export class DomainLookUp {
  constructor(
    private readonly resolver: MxResolver,
    private readonly texts: TextResolver,
  ) {}

  /** Its mail servers alone. @see find */
  async findRoute(domain: string, signal: AbortSignal, requester: DnsRequester): Promise<MailRoute> {
    if (invalidDomainRule(domain) !== null) return { kind: 'no_domain' };
    const { route } = await this.resolver.resolve(domain, signal, requester);
    return trustedRoute(route, domain);
  }

  /**
   * A failure of the DNS is a result; this never rejects.
   *
   * @param domain A-labels, lower case, no final dot.
   * @param signal ends the look-ups; those without a response have failed.
   * @param requester name servers are shared fairly between teams.
   */
  async find(domain: string, signal: AbortSignal, requester: DnsRequester): Promise<DomainFacts> {
    if (invalidDomainRule(domain) !== null) return withoutRecords(domain, { kind: 'no_domain' });
    const call = { ...requester, failedLookUps: new Map() };
    const findTexts = (name: string) => this.texts.findTexts(name, signal, call);
    const found = this.findRoute(domain, signal, call);
    const [route, own, dmarc, mtaSts] = await Promise.all([
      found,
      findTexts(domain),
      findDmarc(
        domain,
        findTexts,
        found.then(({ kind }) => kind !== 'no_domain'),
      ),
      findTexts(`_mta-sts.${domain}`),
    ]);
    const isNever = route.kind === 'hosts' && isNeverCatchAll(domain, route.hosts);
    return {
      domain,
      route,
      known: isNever ? { catchAll: false, ageMs: null } : UNKNOWN_CATCH_ALL,
      spf: own.kind === 'error' ? own : spfOf(own.texts),
      dmarc,
      mtaSts: mtaSts.kind === 'error' ? mtaSts : mtaStsOf(mtaSts.texts),
    };
  }
}
