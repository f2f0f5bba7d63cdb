import type { DisposableOverride, DomainLists } from './lists/domain-list.js';
import { classify } from './lists/address-lists.js';
import { catchAllFrom, type CatchAllCache } from './catch-all.js';
import type { EmailAddress } from './address/email-address.js';
import { factsOfDns, type AddressFacts, type Evidence, type InvalidDomainRule } from './evidence.js';
import type { Freshness, MailRoute, MxResolver } from './dns/mx-resolver.js';
import { trustedOperatorOf } from './providers/mail-exchange.js';
import { probeThroughEgresses, type EgressParts } from './egress/probe-through-egresses.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import { isSpecialUse } from './address/special-use.js';
import type { TrustedOperators } from './trusted-operators.js';

/** What all verifications use. */
export interface EngineParts extends EgressParts {
  resolver: MxResolver;
  lists: DomainLists;
  catchAll: Pick<CatchAllCache, 'get' | 'set'>;
  operators: TrustedOperators;
  /** False: SMTP is disabled by the operator. */
  smtpEnabled: boolean;
}

export interface VerifyRequest {
  address: EmailAddress;
  /** Of the address's domain; takes precedence over the lists. */
  override: DisposableOverride | null;
  requester: RecordedRequester;
  /** In `Clock.monotonicMs`. */
  deadlineMs: number;
}

export interface VerificationResult extends Freshness {
  evidence: Evidence;
}

/**
 * The whole check of a parsed address in order: special-use names, DNS, lists, SMTP. The first
 * conclusive step ends it.
 *
 * @param signal aborts at the deadline at the latest.
 */
export async function verify(
  request: VerifyRequest,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<VerificationResult> {
  const { address, override } = request;
  const { resolver, lists, smtpEnabled } = parts;
  const listing = classify(address, lists, override);

  const rule = invalidDomainRule(address);
  if (rule !== null) return freshResult({ kind: 'invalid_domain', address, listing, rule });

  const requester = { ...request.requester, failedLookUps: new Map() };
  const resolved = await resolver.resolve(address.domain, signal, requester);
  const { cached, ageSeconds } = resolved;
  const route = trustedRoute(resolved.route, address.domain);
  if (route.kind === 'dns_error' && signal.aborted)
    return freshResult({ kind: 'timed_out', address, listing });
  if (route.kind !== 'hosts' || listing.disposable !== null || !smtpEnabled) {
    return { evidence: { kind: 'probed', address, listing, facts: factsOfDns(route) }, cached, ageSeconds };
  }

  const facts = await probeServers({ ...request, requester }, route, parts, signal);
  return freshResult({ kind: 'probed', address, listing, facts });
}

/** Probes the servers, and keeps what they show about the domain. */
async function probeServers(
  { address: recipient, requester, deadlineMs }: VerifyRequest,
  route: Extract<MailRoute, { kind: 'hosts' }>,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<AddressFacts> {
  const { catchAll: cache, operators } = parts;
  const { domain } = recipient;
  const { hosts } = route;
  const operator = trustedOperatorOf(domain, hosts);
  const known = operator === null ? cache.get(domain, hosts) : operators.catchAllOf(operator);
  const probeRandom = operator === null ? known === null : operators.mustProbe(operator);
  const request = { ...requester, recipient, hosts, probeRandom, deadlineMs };
  const probe = await probeThroughEgresses(request, parts, signal);
  const observed = catchAllFrom(probe);
  if (operator !== null) {
    if (probeRandom) operators.onProbed(operator, observed);
    return { route, probe, catchAll: operators.catchAllOf(operator) };
  }
  if (observed !== null) cache.set(domain, hosts, observed);
  return { route, probe, catchAll: known ?? observed ?? 'unknown' };
}

function invalidDomainRule(address: EmailAddress): InvalidDomainRule | null {
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
