import type { DomainLists } from './disposable-domains.js';
import type { Evidence } from './evidence.js';
import { providerOf } from './mail-exchange.js';

/**
 * The mail server that gives a domain away as one of a disposable service: all of its servers are at
 * domains that the lists call disposable, and the domain itself is on no list. Servers of the known
 * mailbox providers, which disposable services use too, say nothing about their other customers.
 */
export function throwawayHost(evidence: Evidence, lists: DomainLists): string | null {
  if (evidence.kind !== 'asked' || evidence.listing.disposable !== null) return null;
  const { route } = evidence.facts;
  if (route.kind !== 'hosts' || route.implicit) return null;
  const [first] = route.hosts;
  const isThrowaway = ({ host }: { host: string }) =>
    providerOf(host) === null && lists.disposable(host.toLowerCase().replace(/\.$/, '')) !== null;
  return first !== undefined && route.hosts.every(isThrowaway) ? first.host : null;
}
