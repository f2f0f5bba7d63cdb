import type { DisposableOverride, DomainLists } from './disposable-domains.js';
import { classify } from './address-lists.js';
import { EARLIER_REFUSAL, type Breakers } from './breakers.js';
import { catchAllFrom, type CatchAllCache } from './catch-all.js';
import type { EmailAddress } from './email-address.js';
import { factsOfDns, type AddressFacts, type DomainRefusal, type Evidence } from './evidence.js';
import { neverCatchAll } from './mail-exchange.js';
import type { MailboxProber, ProbeResult } from './mailbox-prober.js';
import type { MailRoute, MxResolver } from './mx-resolver.js';
import type { Requester } from './requester.js';
import { isSpecialUse } from './special-use.js';

/** What the check asks, and whom; and for whom it is. */
export interface VerifyDependencies extends Requester {
  resolver: MxResolver;
  prober: MailboxProber;
  lists: DomainLists;
  /** Of the address's domain: goes before the lists. */
  override: DisposableOverride | null;
  catchAll: CatchAllCache;
  breakers: Breakers;
  /** False: the operator switched SMTP off. */
  smtpEnabled: boolean;
  /** On the scale of `Clock.monotonicMs`. */
  nowMs: () => number;
}

/** The evidence, and how old the part of it is that was known before. */
export interface VerificationResult {
  evidence: Evidence;
  /** True when it rests on the network and nothing had to be asked now. */
  cached: boolean;
  ageSeconds: number;
}

/**
 * The whole check of a parsed address, top to bottom: special-use names, DNS,
 * lists, SMTP.
 * Each step that settles the matter ends it.
 *
 * @param deadlineMs when to give up, on the scale of `Clock.monotonicMs`.
 * @param signal aborts at the deadline at the latest.
 */
export async function verify(
  address: EmailAddress,
  circumstances: VerifyDependencies,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<VerificationResult> {
  const { resolver, lists, override, smtpEnabled } = circumstances;
  const listing = classify(address, lists, override);

  const refusal = refusalOf(address);
  if (refusal !== null) return ofNow({ kind: 'refused', address, listing, refusal });

  const { route: told, cached, ageSeconds } = await resolver.resolve(address.domain, signal, circumstances);
  const route = believed(told, address.domain);
  if (route.kind === 'dns_error' && signal.aborted) return ofNow({ kind: 'late', address, listing });
  if (route.kind !== 'hosts' || listing.disposable !== null || !smtpEnabled) {
    return { evidence: { kind: 'asked', address, listing, facts: factsOfDns(route) }, cached, ageSeconds };
  }

  const facts = await askServers(address, route, circumstances, deadlineMs, signal);
  return ofNow({ kind: 'asked', address, listing, facts });
}

/** Asks the servers that have not refused us lately, and learns from what they say. */
async function askServers(
  address: EmailAddress,
  route: Extract<MailRoute, { kind: 'hosts' }>,
  { prober, breakers, catchAll: memory, owner, priority, nowMs }: VerifyDependencies,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<AddressFacts> {
  const { domain } = address;
  const known = neverCatchAll(domain, route.hosts) ? 'no' : memory.recall(domain, route.hosts);
  const question = { address, team: owner };
  const hosts = breakers.hostsToAsk(question, route.hosts, nowMs());
  if (hosts.length === 0) {
    const probe: ProbeResult = { end: 'replied', evidence: EARLIER_REFUSAL, random: null, smtputf8: null };
    return { route, probe, catchAll: known ?? 'unknown' };
  }
  const request = { recipient: address, hosts, askRandom: known === null, owner, priority, deadlineMs };
  const outcome = await prober.probe(request, signal);
  breakers.learn(question, outcome, nowMs());
  const { end, evidence, random, smtputf8 } = outcome;
  const probe: ProbeResult = { end, evidence, random, smtputf8 };
  const learned = catchAllFrom(probe);
  if (learned !== null) memory.remember(domain, route.hosts, learned);
  return { route, probe, catchAll: known ?? learned ?? 'unknown' };
}

/** Refused by policy before anything is asked: names that no public mail server can have. */
function refusalOf(address: EmailAddress): DomainRefusal | null {
  if (isSpecialUse(address.domain)) return 'special_use';
  return address.domain.includes('.') ? null : 'no_dot';
}

/**
 * Walled networks and captive portals answer every question with "no such name".
 * Who denies one of these has not looked, and proves nothing about the address.
 */
const UNDENIABLE: ReadonlySet<string> = new Set([
  'gmail.com',
  'icloud.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
]);

function believed(route: MailRoute, domain: string): MailRoute {
  return route.kind === 'no_domain' && UNDENIABLE.has(domain) ? { kind: 'dns_error' } : route;
}

/** A finding of this very moment. */
export function ofNow(evidence: Evidence): VerificationResult {
  return { evidence, cached: false, ageSeconds: 0 };
}
