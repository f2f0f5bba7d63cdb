import { probeCapacity } from './egress/probe-capacity.js';
import type { DomainOverview } from './list-preview.js';
import type { Provider } from './providers/session-limits.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import { invalidDomainRule, trustedRoute, type EngineParts } from './verify.js';

interface OverviewParts {
  parts: EngineParts;
  providerAt: (mxHost: string) => Provider;
}

/** What the DNS shows of a domain. A name server that does not answer shows nothing. */
export async function domainOverview(
  domain: string,
  { parts, providerAt }: OverviewParts,
  requester: RecordedRequester,
  signal: AbortSignal,
): Promise<DomainOverview> {
  const nothing = { provider: null, capacity: null };
  if (invalidDomainRule(domain) !== null) return { isDead: true, ...nothing };
  const { route: found } = await parts.resolver.resolve(domain, signal, requester);
  const route = trustedRoute(found, domain);
  if (route.kind !== 'hosts') return { isDead: route.kind !== 'dns_error', ...nothing };
  const { hosts } = route;
  const [first] = hosts;
  if (first === undefined) return { isDead: false, ...nothing };
  const provider = providerAt(first.host);
  const asked = { domain, hosts, team: requester.team };
  return {
    isDead: false,
    provider: provider.name,
    capacity: parts.smtpEnabled ? probeCapacity(asked, provider, parts) : null,
  };
}
