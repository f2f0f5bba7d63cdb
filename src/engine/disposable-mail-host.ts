import type { DomainLists } from './lists/domain-list.js';
import { providerOf } from './providers/mail-exchange.js';
import type { Evidence } from './evidence.js';

/**
 * The mail server that identifies a domain as disposable: all of its servers belong to listed
 * disposable domains, and the domain itself is not listed. Servers of known mailbox providers do not
 * count, since other customers use them too.
 */
export function disposableMailHost(evidence: Evidence, lists: DomainLists): string | null {
  if (evidence.kind !== 'probed' || evidence.listing.disposable !== null) return null;
  const { route } = evidence.facts;
  if (route.kind !== 'hosts' || route.implicit) return null;
  const [first] = route.hosts;
  const isDisposableHost = ({ host }: { host: string }) =>
    providerOf(host) === null && lists.disposable(host.toLowerCase().replace(/\.$/, '')) !== null;
  return first !== undefined && route.hosts.every(isDisposableHost) ? first.host : null;
}
