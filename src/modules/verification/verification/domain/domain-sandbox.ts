import { withoutRecords, type DomainFacts } from '../../../../engine/published/domain-facts.js';
import type { MailRoute } from '../../../../engine/dns/mx-resolver.js';

/*
 * The sandbox of test keys for domains: the first label names the outcome; every other domain accepts mail and
 * publishes all records. No network access.
 */

export interface SimulatedDomain {
  facts: DomainFacts;
  disposable: boolean;
  privacyRelay: boolean;
}

const ERROR = { kind: 'error', error: 'simulated: no response' } as const;

const ROUTES: Readonly<Record<string, (domain: string) => MailRoute>> = {
  'null-mx': () => ({ kind: 'null_mx' }),
  'no-mail-server': () => ({ kind: 'no_mail_server' }),
  'invalid-domain': () => ({ kind: 'no_domain' }),
  'dns-error': () => ({ ...ERROR, kind: 'dns_error' }),
  'implicit-mx': (domain) => ({ kind: 'hosts', implicit: true, hosts: [{ host: domain, preference: 0 }] }),
};

const routeTo = (domain: string): MailRoute => ({
  kind: 'hosts',
  implicit: false,
  hosts: [{ host: `mx.${domain}`, preference: 10 }],
});

export function simulatedDomain(domain: string): SimulatedDomain {
  const [outcome = ''] = domain.split('.');
  const route = (Object.hasOwn(ROUTES, outcome) ? ROUTES[outcome] : undefined) ?? routeTo;
  return {
    facts: factsOf(outcome, withoutRecords(domain, route(domain))),
    disposable: outcome === 'disposable',
    privacyRelay: outcome === 'privacy-relay',
  };
}

function factsOf(outcome: string, facts: DomainFacts): DomainFacts {
  if (facts.route.kind === 'dns_error') return { ...facts, spf: ERROR, dmarc: ERROR, mtaSts: ERROR };
  if (facts.route.kind !== 'hosts') return facts;
  const { domain } = facts;
  return {
    ...facts,
    known: { catchAll: outcome === 'catch-all', ageMs: 0 },
    spf: { record: 'v=spf1 mx -all', error: null, all: 'fail' },
    dmarc: {
      record: 'v=DMARC1; p=reject',
      error: null,
      foundAt: domain,
      organizationalDomain: domain,
      policy: 'reject',
      isTesting: false,
    },
    mtaSts: { record: 'v=STSv1; id=20260101', error: null, id: '20260101' },
  };
}
