import type { AddressHistory } from '../../../../kernel/outcomes.js';
import {
  EGRESS_UNAVAILABLE_RULE,
  REASONS,
  type Reason,
  type SmtpCategory,
  type SmtpEvidence,
} from '../../../../kernel/verdict.js';
import { classify } from '../../../../engine/lists/address-lists.js';
import {
  DomainLists,
  type DisposableOverride,
  type ListEntry,
} from '../../../../engine/lists/domain-list.js';
import { suggestDomain } from '../../../../engine/address/did-you-mean.js';
import type { EmailAddress } from '../../../../engine/address/email-address.js';
import {
  evidenceFromFacts,
  type AddressFacts,
  type CatchAll,
  type Evidence,
} from '../../../../engine/evidence.js';
import type { JudgingRules } from '../../../../engine/judge.js';
import type { ProbeEnd, ProbeOutcome } from '../../../../engine/smtp/probe.js';
import { readReply } from '../../../../engine/replies/mailbox-reply.js';
import type { MailRoute } from '../../../../engine/dns/mx-resolver.js';
import { smtpReply } from '../../../../engine/replies/smtp-reply.js';

/*
 * The sandbox of test keys: the local part, or the text after its `+`, names the outcome, at any
 * domain; everything else is deliverable. No network access.
 *
 * An outcome is defined by the evidence that leads to it and is judged like any other, so that a test
 * verdict has the same shape as a real one. In a single call, some names stand for an error or a delay.
 */

/** The name of the outcome that the address selects, in lower case. */
export function outcomeName({ subaddress, localPart }: EmailAddress): string {
  return (subaddress ?? localPart).toLowerCase();
}

/** The reason of a verdict. A misspelled provider has no mail server, so that its verdict has a suggestion. */
export function reasonFor(address: EmailAddress): Reason {
  const name = outcomeName(address);
  if (name === 'typo' && suggestDomain(address.domain) !== null) return 'no_mail_server';
  return REASONS.find((reason) => reason === name) ?? 'accepted_email';
}

/**
 * Evidence that leads to the reason, for any address; only the team's override of the domain takes
 * precedence.
 */
export function evidenceFor(
  reason: Reason,
  address: EmailAddress,
  override: DisposableOverride | null,
): Evidence {
  const teams = override?.source === 'team' ? override : null;
  const listing = classify(address, new SandboxLists(reason), teams);
  switch (reason) {
    case 'invalid_syntax':
      return { kind: 'syntax', error: 'local_part_character' };
    case 'blocked_domain':
      return { kind: 'blocked', address, listing, entry: { pattern: address.domain, source: SANDBOX } };
    case 'rate_limited':
      return { kind: 'rate_limited', address, listing };
    case 'internal_error':
      return { kind: 'internal_error', address, listing };
    case 'bounced':
      return { kind: 'bounced', address, listing, history: historyFor('bounced') };
    case 'delivered': {
      const evidence = evidenceFromFacts(address, listing, factsFor('catch_all', address));
      return { ...evidence, history: historyFor('delivered') };
    }
    case 'role': {
      const role = { pattern: 'role', source: SANDBOX };
      const checks = { ...listing.checks, role: true };
      return evidenceFromFacts(address, { ...listing, checks, role }, factsFor(reason, address));
    }
    default:
      return evidenceFromFacts(address, listing, factsFor(reason, address));
  }
}

/** The simulated outcome, always of the same time. */
function historyFor(kind: 'bounced' | 'delivered'): AddressHistory {
  const at = new Date('2026-01-01T00:00:00Z');
  const reply = { code: 550, enhancedCode: '5.1.1', text: 'User unknown' };
  const latest = {
    kind,
    at,
    ...(kind === 'bounced' ? reply : { code: null, enhancedCode: null, text: null }),
  };
  return {
    latest,
    bouncedAt: kind === 'bounced' ? at : null,
    isDelivered: kind === 'delivered',
    isReceiving: kind === 'delivered',
    hasComplained: false,
  };
}

const SANDBOX = 'sandbox';
/** The egress of an installation without `SMTP_EGRESS`. */
const DIRECT = 'direct';

/** Lists in which every domain is disposable for the outcome `disposable`, and none otherwise. */
class SandboxLists extends DomainLists {
  constructor(private readonly reason: Reason) {
    super();
  }

  override disposable(domain: string): ListEntry | null {
    return this.reason === 'disposable' ? { pattern: domain, source: SANDBOX } : null;
  }
}

/** The rules to judge by: the outcome `role` is visible also in a team that accepts role accounts. */
export function rulesFor(evidence: Evidence, rules: JudgingRules): JudgingRules {
  const isRole = evidence.kind === 'probed' && evidence.listing.role?.source === SANDBOX;
  return isRole ? { roleIsRisky: true } : rules;
}

type NetworkReason = Exclude<
  Reason,
  'invalid_syntax' | 'blocked_domain' | 'rate_limited' | 'internal_error' | 'bounced' | 'delivered'
>;

/** The simulated network result. */
function factsFor(reason: NetworkReason, address: EmailAddress): AddressFacts {
  const scenario = SCENARIOS[reason];
  const route = scenario.route ?? routeTo(address, scenario.mxHost);
  const host = route.kind === 'hosts' ? (route.hosts[0]?.host ?? address.domain) : address.domain;
  return { route, probe: scenario.probe?.(host) ?? null, catchAll: scenario.catchAll ?? 'unknown' };
}

interface Scenario {
  route?: MailRoute;
  mxHost?: string;
  probe?: (mxHost: string) => ProbeOutcome;
  catchAll?: CatchAll;
}

const accepted = (random: ProbeOutcome['random']) => reply('accepted', 250, '2.1.5', 'OK', random);

const SCENARIOS: Readonly<Record<NetworkReason, Scenario>> = {
  accepted_email: { probe: accepted('rejected'), catchAll: 'no' },
  role: { probe: accepted('rejected'), catchAll: 'no' },
  disposable: { probe: accepted('rejected'), catchAll: 'no' },
  catch_all: { probe: accepted('accepted'), catchAll: 'yes' },
  catch_all_unknown: { probe: accepted('unusable') },
  inconclusive_provider: { probe: accepted(null), mxHost: 'mta.sandbox.yahoodns.net' },
  mailbox_full: { probe: reply('mailbox_full', 452, '4.2.2', 'Mailbox full') },
  mailbox_not_found: { probe: reply('mailbox_not_found', 550, '5.1.1', 'User unknown') },
  mailbox_disabled: { probe: reply('mailbox_disabled', 550, '5.2.1', 'Mailbox disabled') },
  smtputf8_unsupported: { probe: ending('smtputf8_unsupported', { stage: 'ehlo', category: 'smtputf8' }) },
  greylisted: { probe: reply('greylisted', 450, '4.7.1', 'Greylisted, try again later') },
  temporary_failure: { probe: reply('temporary', 451, '4.3.0', 'Temporary failure') },
  sender_blocked: { probe: reply('sender_blocked', 554, '5.7.1', 'Client host blocked') },
  recipient_policy: { probe: reply('policy', 550, '5.7.1', 'Refused by policy') },
  no_connect: { probe: ending('no_connect', { stage: 'connect' }) },
  timeout: { probe: ending('timeout', {}) },
  smtp_protocol_error: { probe: ending('smtp_protocol_error', { stage: 'banner', category: 'protocol' }) },
  unsafe_mail_server: {
    probe: () => ({ end: 'unsafe_mail_server', evidence: null, random: null, smtputf8: null }),
  },
  egress_unavailable: {
    probe: ending('egress_failed', {
      stage: 'connect',
      text: 'the proxy cannot be reached: ECONNREFUSED',
      rule: EGRESS_UNAVAILABLE_RULE,
    }),
  },
  smtp_disabled: {},
  invalid_domain: { route: { kind: 'no_domain' } },
  no_mail_server: { route: { kind: 'no_mail_server' } },
  null_mx: { route: { kind: 'null_mx' } },
  dns_error: { route: { kind: 'dns_error' } },
};

function routeTo(address: EmailAddress, host = `mx.${address.domain}`): MailRoute {
  return { kind: 'hosts', implicit: false, hosts: [{ host, preference: 10 }] };
}

function reply(
  category: SmtpCategory,
  code: number,
  enhancedCode: string,
  text: string,
  random: ProbeOutcome['random'] = null,
): (mxHost: string) => ProbeOutcome {
  const given = { reply: smtpReply(code, [`${enhancedCode} ${text}`]), provider: null, recipient: '' };
  const { rule } = readReply({ stage: 'rcpt', ...given });
  return ending('replied', { category, code, enhancedCode, text, rule }, random);
}

/** Members one by one: a spread is slow, and a list with a test key makes one for each row. */
function ending(
  end: ProbeEnd,
  {
    stage = 'rcpt',
    code = null,
    enhancedCode = null,
    category = null,
    text = null,
    rule = null,
  }: Partial<SmtpEvidence>,
  random: ProbeOutcome['random'] = null,
): (mxHost: string) => ProbeOutcome {
  const offersSmtputf8 = end === 'replied' || end === 'smtputf8_unsupported' ? false : null;
  return (mxHost) => ({
    end,
    evidence: {
      stage,
      code,
      enhancedCode,
      category,
      mxHost,
      attempts: 1,
      tls: false,
      text,
      rule,
      egress: DIRECT,
    },
    random,
    smtputf8: offersSmtputf8,
  });
}
