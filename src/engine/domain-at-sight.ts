import type { MxResolver } from './dns/mx-resolver.js';
import { invalidDomainRule, trustedRoute } from './verify.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import type { DomainAtSight } from './list-preview.js';

interface SightParts {
  resolver: MxResolver;
  providerAt: (mxHost: string) => { name: string; connections: number };
}

/** What the DNS shows of a domain. A name server that does not answer shows nothing. */
export async function domainAtSight(
  domain: string,
  { resolver, providerAt }: SightParts,
  requester: RecordedRequester,
  signal: AbortSignal,
): Promise<DomainAtSight> {
  const nothing = { provider: null, connections: null };
  if (invalidDomainRule(domain) !== null) return { isDead: true, ...nothing };
  const { route: found } = await resolver.resolve(domain, signal, requester);
  const route = trustedRoute(found, domain);
  if (route.kind !== 'hosts') return { isDead: route.kind !== 'dns_error', ...nothing };
  const [first] = route.hosts;
  if (first === undefined) return { isDead: false, ...nothing };
  const { name, connections } = providerAt(first.host);
  return { isDead: false, provider: name, connections };
}
