import type { DisposableOverride, DomainLists } from './lists/domain-list.js';
import { classify } from './lists/address-lists.js';
import { catchAllFrom, type CatchAllCache } from './catch-all.js';
import type { EmailAddress } from './address/email-address.js';
import { factsOfDns, type AddressFacts, type Evidence, type InvalidDomainRule } from './evidence.js';
import type { MailRoute, MxResolver } from './dns/mx-resolver.js';
import { isNeverCatchAll } from './providers/mail-exchange.js';
import { probeThroughEgresses, type EgressParts } from './egress/probe-through-egresses.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import { isSpecialUse } from './address/special-use.js';

/** What all verifications use. */
export interface EngineParts extends EgressParts {
  resolver: MxResolver;
  lists: DomainLists;
  catchAll: Pick<CatchAllCache, 'get' | 'set'>;
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
): Promise<Evidence> {
  const { address, override } = request;
  const { resolver, lists, smtpEnabled } = parts;
  const listing = classify(address, lists, override);

  const rule = invalidDomainRule(address.domain);
  if (rule !== null) return { kind: 'invalid_domain', address, listing, rule };

  const requester = { ...request.requester, failedLookUps: new Map() };
  const resolved = requester.route ?? (await resolver.resolve(address.domain, signal, requester));
  const { cached, ageSeconds } = resolved;
  const route = trustedRoute(resolved.route, address.domain);
  if (route.kind === 'dns_error' && signal.aborted) return { kind: 'timed_out', address, listing };
  if (route.kind !== 'hosts' || listing.disposable !== null || !smtpEnabled) {
    return { kind: 'probed', address, listing, facts: factsOfDns(route), cached, ageSeconds };
  }

  const facts = await probeServers({ ...request, requester }, route, parts, signal);
  return { kind: 'probed', address, listing, facts };
}

/** Probes the servers, and keeps what they show about the domain. */
async function probeServers(
  { address: recipient, requester, deadlineMs }: VerifyRequest,
  route: Extract<MailRoute, { kind: 'hosts' }>,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<AddressFacts> {
  const { catchAll: cache } = parts;
  const { domain } = recipient;
  const { hosts } = route;
  const known = cache.get(domain, hosts);
  const request = { ...requester, recipient, hosts, probeRandom: known === null, deadlineMs };
  const probe = await probeThroughEgresses(request, parts, signal);
  // The table of providers counts only where no random address was sent, or its reply has no meaning.
  const byTable = isNeverCatchAll(domain, hosts) ? 'no' : 'unknown';
  const observed = catchAllFrom(probe);
  const shown = observed === 'unknown' ? byTable : observed;
  if (shown !== null) cache.set(domain, hosts, shown);
  return { route, probe, catchAll: known ?? shown ?? byTable };
}

export function invalidDomainRule(domain: string): InvalidDomainRule | null {
  if (isSpecialUse(domain)) return 'special_use';
  return domain.includes('.') ? null : 'no_dot';
}

/**
 * A filter may deny some of these and resolve others, so that the check of the name servers does not find it.
 * NXDOMAIN for one of them proves nothing.
 */
const EXISTING_DOMAINS: ReadonlySet<string> = new Set([
  'gmail.com',
  'icloud.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
]);

export function trustedRoute(route: MailRoute, domain: string): MailRoute {
  return route.kind === 'no_domain' && EXISTING_DOMAINS.has(domain) ? { kind: 'dns_error' } : route;
}
