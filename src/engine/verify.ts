import type { DisposableOverride, DomainLists } from './lists/disposable-domains.js';
import { classify } from './lists/address-lists.js';
import type { Breakers } from './egress/breakers.js';
import { catchAllFrom, type CatchAllCache } from './catch-all.js';
import type { EmailAddress } from './address/email-address.js';
import type { EgressWarmup } from './egress/egress-warmup.js';
import type { Egress } from './egress/egress.js';
import { factsOfDns, type AddressFacts, type DomainRefusal, type Evidence } from './evidence.js';
import { trustedOperatorOf } from './dns/mail-exchange.js';
import type { MailRoute, MxResolver } from './dns/mx-resolver.js';
import { probeThroughEgresses } from './egress/probe-through-egresses.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import { isSpecialUse } from './address/special-use.js';
import type { TrustedOperators } from './trusted-operators.js';

/** The dependencies, settings and requester of a verification. */
export interface VerifyDependencies extends RecordedRequester {
  resolver: MxResolver;
  egresses: readonly Egress[];
  lists: DomainLists;
  /** Of the address's domain; takes precedence over the lists. */
  override: DisposableOverride | null;
  catchAll: CatchAllCache;
  operators: TrustedOperators;
  breakers: Breakers;
  warmup: EgressWarmup;
  /** False: SMTP is disabled by the operator. */
  smtpEnabled: boolean;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
}

/** The evidence, and the age of its cached part. */
export interface VerificationResult {
  evidence: Evidence;
  /** True when it depends on the network and no request was sent. */
  cached: boolean;
  ageSeconds: number;
}

/**
 * The whole check of a parsed address in order: special-use names, DNS, lists, SMTP. The first
 * conclusive step ends it.
 *
 * @param deadlineMs in `Clock.monotonicMs`.
 * @param signal aborts at the deadline at the latest.
 */
export async function verify(
  address: EmailAddress,
  dependencies: VerifyDependencies,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<VerificationResult> {
  const { resolver, lists, override, smtpEnabled } = dependencies;
  const listing = classify(address, lists, override);

  const refusal = refusalOf(address);
  if (refusal !== null) return freshResult({ kind: 'refused', address, listing, refusal });

  const {
    route: resolved,
    cached,
    ageSeconds,
  } = await resolver.resolve(address.domain, signal, dependencies);
  const route = trustedRoute(resolved, address.domain);
  if (route.kind === 'dns_error' && signal.aborted)
    return freshResult({ kind: 'timed_out', address, listing });
  if (route.kind !== 'hosts' || listing.disposable !== null || !smtpEnabled) {
    return { evidence: { kind: 'probed', address, listing, facts: factsOfDns(route) }, cached, ageSeconds };
  }

  const facts = await probeServers(address, route, dependencies, deadlineMs, signal);
  return freshResult({ kind: 'probed', address, listing, facts });
}

/** Probes the servers, and keeps what they show about the domain. */
async function probeServers(
  address: EmailAddress,
  route: Extract<MailRoute, { kind: 'hosts' }>,
  dependencies: VerifyDependencies,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<AddressFacts> {
  const { catchAll: cache, operators, tenant, priority, transcript } = dependencies;
  const { domain } = address;
  const { hosts } = route;
  const operator = trustedOperatorOf(domain, hosts);
  const known = operator === null ? cache.get(domain, hosts) : operators.catchAllOf(operator);
  const probeRandom = operator === null ? known === null : operators.mustProbe(operator);
  const requester = { tenant, priority, transcript };
  const request = { recipient: address, hosts, probeRandom, ...requester, deadlineMs };
  const probe = await probeThroughEgresses(request, dependencies, signal);
  const observed = catchAllFrom(probe);
  if (operator !== null) {
    if (probeRandom) operators.onProbed(operator, observed);
    return { route, probe, catchAll: operators.catchAllOf(operator) };
  }
  if (observed !== null) cache.set(domain, hosts, observed);
  return { route, probe, catchAll: known ?? observed ?? 'unknown' };
}

/** Refused by policy without network access: names that no public mail server can have. */
function refusalOf(address: EmailAddress): DomainRefusal | null {
  if (isSpecialUse(address.domain)) return 'special_use';
  return address.domain.includes('.') ? null : 'no_dot';
}

/**
 * Filtered networks and captive portals answer every query with NXDOMAIN. NXDOMAIN for one of these
 * domains proves nothing.
 */
const EXISTING_DOMAINS: ReadonlySet<string> = new Set([
  'gmail.com',
  'icloud.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
]);

function trustedRoute(route: MailRoute, domain: string): MailRoute {
  return route.kind === 'no_domain' && EXISTING_DOMAINS.has(domain) ? { kind: 'dns_error' } : route;
}

/** A result that was obtained now. */
export function freshResult(evidence: Evidence): VerificationResult {
  return { evidence, cached: false, ageSeconds: 0 };
}
