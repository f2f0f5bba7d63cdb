import type { TeamRules } from '../kernel/principal.js';
import {
  STATUS_OF,
  type Checks,
  type DnsEvidence,
  type ListMatch,
  type PolicyDecision,
  type Reason,
  type SmtpCategory,
  type Status,
  type Verdict,
} from '../kernel/verdict.js';
import { NO_LISTING, type AddressListing } from './lists/address-lists.js';
import { suggestDomain } from './address/did-you-mean.js';
import { addressMeant } from './address/address-meant.js';
import type { EmailAddress } from './address/email-address.js';
import { repairAddress } from './address/address-repair.js';
import type { AddressFacts, Evidence } from './evidence.js';
import { acceptsAllByTable, providerOfNames } from './providers/mail-exchange.js';
import { isLookAlike, confusableProvider } from './address/look-alike.js';
import type { ProbeEnd } from './smtp/probe.js';
import type { MailRoute } from './dns/mx-resolver.js';
import { score } from './score.js';

export interface JudgingRules extends Pick<TeamRules, 'roleIsRisky'> {
  /** Whether a mail server accepts every recipient and returns mail later. Default: by the table of providers. */
  acceptsAll?: (mxHost: string) => boolean;
}

/** Reasons that may change with time: the address is deferred, and rechecked in the background. */
export const DEFERRED_REASONS: ReadonlySet<Reason> = new Set(['greylisted', 'sender_blocked']);

/** A verdict without the details of one call. */
type Judgement = Omit<Verdict, 'email' | 'verifiedAt' | 'cached' | 'ageSeconds' | 'durationMs'>;

/** Evidence → verdict. Pure: the same evidence under the same rules gives the same verdict. */
export function judge(evidence: Evidence, rules: JudgingRules): Judgement {
  const reasonOfFacts = reasonForFacts(evidence, rules);
  const reason = withOutcomes(reasonOfFacts, evidence);
  const status = STATUS_OF[reason];
  const address = evidence.kind === 'syntax' ? null : evidence.address;
  const listing = evidence.kind === 'syntax' ? NO_LISTING : evidence.listing;
  const facts = evidence.kind === 'probed' ? evidence.facts : null;
  const checks = checksOf(listing, facts);
  return {
    normalizedEmail: address?.normalized ?? null,
    localPart: address?.localPart ?? null,
    domain: address?.domain ?? null,
    status,
    reason,
    reasonOfFacts,
    score: score(reason, checks),
    didYouMean: address !== null && mayBeMistyped(reason, facts) ? didYouMean(address) : null,
    checks,
    dns: dnsEvidenceOf(facts?.route ?? null, facts?.probe?.dnsError),
    smtp: facts?.probe?.evidence ?? null,
    policy: policyOf(evidence, status, reason),
    outcome: evidence.history?.latest ?? null,
    estimate: estimateFor(evidence, reasonOfFacts, address, facts),
    listMatch: listMatchOf(evidence, listing),
    retryAfter: DEFERRED_REASONS.has(reason) ? FIRST_RETRY_SECONDS : null,
  };
}

/** The verdict with the details of the call. */
export function toVerdict(
  email: string,
  evidence: Evidence,
  rules: JudgingRules,
  now: Date,
  durationMs: number,
): Verdict {
  const { cached = false, ageSeconds = 0 } = evidence;
  const verifiedAt = new Date(now.getTime() - ageSeconds * 1000);
  const judgement = judge(evidence, rules);
  return {
    email,
    ...judgement,
    // A text that is no address has no parts in its evidence.
    didYouMean:
      evidence.kind === 'syntax' ? (addressMeant(email) ?? repairAddress(email)) : judgement.didYouMean,
    verifiedAt,
    cached,
    ageSeconds,
    durationMs: Math.round(durationMs),
  };
}

/**
 * Whether a suggestion costs nothing: no mail reaches the address, no server has replied about it, or the domain
 * accepts every address, as the owners of mistyped names do. A mailbox that a server knows is never a typing error.
 */
function mayBeMistyped(reason: Reason, facts: AddressFacts | null): boolean {
  const status = STATUS_OF[reason];
  if (status === 'unknown') return (facts?.probe?.evidence?.code ?? null) === null;
  return status === 'undeliverable' || reason === 'disposable' || reason === 'catch_all';
}

const FIRST_RETRY_SECONDS = 300;

function reasonForFacts(evidence: Evidence, rules: JudgingRules): Reason {
  return evidence.kind === 'probed' ? reasonForProbe(evidence, rules) : WITHOUT_FACTS[evidence.kind];
}

const WITHOUT_FACTS: Readonly<Record<Exclude<Evidence['kind'], 'probed'>, Reason>> = {
  syntax: 'invalid_syntax',
  blocked: 'blocked_domain',
  invalid_domain: 'invalid_domain',
  timed_out: 'timeout',
  bounced: 'bounced',
  rate_limited: 'rate_limited',
  internal_error: 'internal_error',
};

/** Risky reasons that say only that acceptance proves nothing. */
const UNPROVEN: ReadonlySet<Reason> = new Set(['catch_all', 'catch_all_unknown', 'inconclusive_provider']);

/** Reasons of acceptance that the outcomes of other addresses there can refute. */
const ACCEPTED: ReadonlySet<Reason> = new Set(['accepted_email', 'role', 'catch_all_unknown']);

/** What the team's mails showed, there and at the address itself. */
function withOutcomes(reason: Reason, evidence: Evidence): Reason {
  if (evidence.kind !== 'probed' || evidence.facts.route.kind !== 'hosts') return reason;
  const { address, history, statistics } = evidence;
  const { route, probe } = evidence.facts;
  const isAccepted = ACCEPTED.has(reason) && probe?.evidence?.category === 'accepted';
  const isRefuted = isAccepted && statistics?.returnsAccepted(route.hosts, address.domain) === true;
  const shown = isRefuted ? 'inconclusive_provider' : reason;
  // A mail that was delivered shows more than a server that cannot be probed, or that accepts every address.
  const isOpen = UNPROVEN.has(shown) || (STATUS_OF[shown] === 'unknown' && shown !== 'dns_error');
  return history?.isDelivered === true && isOpen ? 'delivered' : shown;
}

function reasonForProbe(
  { facts, listing }: Extract<Evidence, { kind: 'probed' }>,
  rules: JudgingRules,
): Reason {
  const { route, probe } = facts;
  if (route.kind !== 'hosts') return OF_ROUTE[route.kind];
  if (listing.disposable !== null) return 'disposable';
  if (probe === null) return 'smtp_disabled';
  if (probe.end !== 'replied') return OF_PROBE_END[probe.end];
  const category = probe.evidence?.category ?? 'protocol';
  if (category !== 'accepted') return OF_CATEGORY[category];
  const { acceptsAll = acceptsAllByTable } = rules;
  if (route.hosts.some(({ host }) => acceptsAll(host))) return 'inconclusive_provider';
  if (facts.catchAll === 'yes') return 'catch_all';
  if (probe.evidence?.code === CANNOT_VERIFY) return 'catch_all_unknown';
  if (facts.catchAll === 'unknown') return 'catch_all_unknown';
  return rules.roleIsRisky && listing.role !== null ? 'role' : 'accepted_email';
}

/** "Cannot verify, but will take the message" (RFC 5321 §3.5.3). */
const CANNOT_VERIFY = 252;

const OF_ROUTE: Readonly<Record<Exclude<MailRoute['kind'], 'hosts'>, Reason>> = {
  no_domain: 'invalid_domain',
  no_mail_server: 'no_mail_server',
  null_mx: 'null_mx',
  dns_error: 'dns_error',
};

const OF_PROBE_END: Readonly<Record<Exclude<ProbeEnd, 'replied'>, Reason>> = {
  no_connect: 'no_connect',
  no_route: 'no_connect',
  egress_failed: 'egress_unavailable',
  timeout: 'timeout',
  smtp_protocol_error: 'smtp_protocol_error',
  unsafe_mail_server: 'unsafe_mail_server',
  relaying_denied: 'no_mail_server',
  no_address: 'no_mail_server',
  dns_error: 'dns_error',
  smtputf8_unsupported: 'smtputf8_unsupported',
};

const OF_CATEGORY: Readonly<Record<Exclude<SmtpCategory, 'accepted'>, Reason>> = {
  // The mailbox exists and exceeds the rate limit of its provider.
  rate_limited: 'accepted_email',
  mailbox_not_found: 'mailbox_not_found',
  mailbox_disabled: 'mailbox_disabled',
  mailbox_full: 'mailbox_full',
  greylisted: 'greylisted',
  temporary: 'temporary_failure',
  sender_blocked: 'sender_blocked',
  policy: 'recipient_policy',
  protocol: 'smtp_protocol_error',
  smtputf8: 'smtputf8_unsupported',
  null_mx: 'null_mx',
};

function checksOf(listing: AddressListing, facts: AddressFacts | null): Checks {
  const category = facts?.probe?.end === 'replied' ? facts.probe.evidence?.category : undefined;
  const accepted = category === 'accepted';
  const { disposable, privacyRelay, role, free, subaddress, noReply } = listing.checks;
  // Member by member: a spread makes a slow object (`bench/bulk.ts`).
  return {
    disposable,
    privacyRelay,
    role,
    free,
    subaddress,
    noReply,
    catchAll: facts === null || facts.catchAll === 'unknown' ? null : facts.catchAll === 'yes',
    mailboxFull: category === 'mailbox_full' ? true : accepted ? false : null,
    disabled: category === 'mailbox_disabled' ? true : accepted ? false : null,
    smtputf8: facts?.probe?.smtputf8 ?? null,
  };
}

/** @param probeError of a look-up while the mail servers were asked. */
export function dnsEvidenceOf(route: MailRoute | null, probeError?: string): DnsEvidence {
  if (route === null || route.kind === 'dns_error') {
    return {
      mxFound: null,
      implicitMx: null,
      nullMx: null,
      mx: [],
      provider: null,
      error: route?.error ?? probeError,
    };
  }
  const hosts = route.kind === 'hosts' ? route.hosts : [];
  const implicit = route.kind === 'hosts' && route.implicit;
  return {
    mxFound: hosts.length > 0 && !implicit,
    implicitMx: implicit,
    nullMx: route.kind === 'null_mx',
    mx: hosts,
    provider: providerOfRoute(route),
    error: probeError,
  };
}

function providerOfRoute(route: MailRoute): string | null {
  return route.kind === 'hosts' ? providerOfNames(route.hosts.map(({ host }) => host)) : null;
}

function estimateFor(
  { statistics, history }: Evidence,
  reason: Reason,
  address: EmailAddress | null,
  facts: AddressFacts | null,
): Verdict['estimate'] {
  if (statistics === undefined || address === null) return null;
  const hosts = facts?.route.kind === 'hosts' ? facts.route.hosts : [];
  return statistics.estimate(reason, hosts, address.domain, history?.isReceiving ?? null);
}

function didYouMean(address: EmailAddress): string | null {
  const domain = suggestDomain(address.domain) ?? confusableProvider(address.domain);
  return domain === null ? null : `${address.localPart}@${domain}`;
}

/** A look-alike of another address may be deliverable, but a person should review it. */
function policyOf(evidence: Evidence, status: Status, reason: Reason): Verdict['policy'] {
  const rule = ruleOf(evidence);
  const decision = decisionOf(status, reason);
  if (evidence.history?.hasComplained === true && decision !== 'reject')
    return { decision: 'review', rule: COMPLAINED };
  return { decision: rule === LOOK_ALIKE && decision === 'accept' ? 'review' : decision, rule };
}

function decisionOf(status: Status, reason: Reason): PolicyDecision {
  if (reason === 'blocked_domain' || status === 'undeliverable') return 'reject';
  return status === 'deliverable' ? 'accept' : 'review';
}

const COMPLAINED = 'complained';
const LOOK_ALIKE = 'address:look_alike';

function ruleOf(evidence: Evidence): string | null {
  switch (evidence.kind) {
    case 'syntax':
      return `syntax:${evidence.error}`;
    case 'invalid_domain':
      return `domain:${evidence.rule}`;
    case 'blocked':
      return `blocklist:${evidence.entry.pattern}`;
    default:
      return isLookAlike(evidence.address) ? LOOK_ALIKE : null;
  }
}

/** The most serious list that the address is on. */
function listMatchOf(evidence: Evidence, listing: AddressListing): ListMatch | null {
  if (evidence.kind === 'blocked') return { list: 'blocklist', scope: 'team', ...evidence.entry };
  if (listing.disposable) return { list: 'disposable', ...listing.disposable };
  if (listing.privacyRelay) return { list: 'privacy_relay', scope: 'global', ...listing.privacyRelay };
  if (listing.role) return { list: 'role', scope: 'global', ...listing.role };
  return null;
}
