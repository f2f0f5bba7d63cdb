import type { Estimate, KnownOutcome } from './outcomes.js';

/**
 * The result of verifying an address. `GET /v1/verify` and every row of a bulk result have this
 * shape; the rules are in `engine/`.
 *
 * In all members `null` means "not tested or not known", `false` means "tested, and no".
 */

export const STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

const UNDELIVERABLE = { status: 'undeliverable', score: 0 } as const;
const UNKNOWN = { status: 'unknown', score: 30 } as const;

/**
 * Every reason: its status, its score before deductions (0–100, higher is safer to send to), and a
 * sentence for people.
 */
export const REASON_TABLE = {
  accepted_email: {
    status: 'deliverable',
    score: 95,
    explanation: 'The mail server accepts mail for this address and rejects addresses that do not exist.',
  },

  delivered: {
    status: 'deliverable',
    score: 90,
    explanation:
      'A mail to this address was delivered lately. The mail server alone does not show that it exists.',
  },

  catch_all: {
    status: 'risky',
    score: 50,
    explanation: 'The domain accepts mail for every address, so this mailbox may not exist.',
  },
  catch_all_unknown: {
    status: 'risky',
    score: 50,
    explanation: 'The mail server accepts this address. Whether it accepts every address is not known.',
  },
  disposable: {
    status: 'risky',
    score: 20,
    explanation: 'The domain belongs to a provider of disposable mailboxes.',
  },
  role: {
    status: 'risky',
    score: 95,
    explanation:
      'The address is deliverable and belongs to a role, not a person. The team treats role addresses as risky.',
  },
  mailbox_full: {
    status: 'risky',
    score: 40,
    explanation: 'The mailbox exists and is full.',
  },
  inconclusive_provider: {
    status: 'risky',
    score: 60,
    explanation: 'This provider accepts mail for addresses that do not exist and returns it later.',
  },
  blocked_domain: {
    status: 'risky',
    score: 20,
    explanation: 'The domain is on the team’s blocklist.',
  },

  invalid_syntax: { ...UNDELIVERABLE, explanation: 'The text is not a valid email address.' },
  invalid_domain: {
    ...UNDELIVERABLE,
    explanation: 'The domain does not exist, or its name cannot have a public mail server.',
  },
  no_mail_server: {
    ...UNDELIVERABLE,
    explanation: 'The domain exists and has no mail server that accepts mail for it.',
  },
  null_mx: { ...UNDELIVERABLE, explanation: 'The domain declares that it accepts no mail.' },
  mailbox_not_found: {
    ...UNDELIVERABLE,
    explanation: 'The mail server reports that the mailbox does not exist.',
  },
  mailbox_disabled: {
    ...UNDELIVERABLE,
    explanation: 'The mail server reports that the mailbox is disabled.',
  },
  bounced: {
    ...UNDELIVERABLE,
    explanation: 'A mail to this address was returned, because the mailbox does not exist or is disabled.',
  },
  smtputf8_unsupported: {
    ...UNDELIVERABLE,
    explanation: 'The address has non-ASCII characters, and the mail server does not support SMTPUTF8.',
  },

  dns_error: {
    ...UNKNOWN,
    explanation:
      'The name servers failed, did not respond or gave no proof. This says nothing about the address.',
  },
  no_connect: { ...UNKNOWN, explanation: 'No mail server of the domain could be reached on port 25.' },
  timeout: { ...UNKNOWN, explanation: 'The timeout was reached before the mail server responded.' },
  greylisted: {
    ...UNKNOWN,
    explanation: 'The mail server defers unknown senders for some minutes. Verify the address again later.',
  },
  temporary_failure: { ...UNKNOWN, explanation: 'The mail server reported a temporary failure.' },
  sender_blocked: { ...UNKNOWN, explanation: 'The mail server rejected the sender, not the address.' },
  recipient_policy: {
    ...UNKNOWN,
    explanation:
      'The mail server rejected the address by a policy. This does not show whether the mailbox exists.',
  },
  smtp_protocol_error: {
    ...UNKNOWN,
    explanation: 'The mail server closed the connection, or its reply was not valid SMTP.',
  },
  smtp_disabled: {
    ...UNKNOWN,
    explanation: 'SMTP is disabled (SMTP_ENABLED), and DNS alone cannot show whether the mailbox exists.',
  },
  unsafe_mail_server: {
    ...UNKNOWN,
    explanation: 'The domain’s mail servers have only addresses to which connections are not allowed.',
  },
  rate_limited: {
    ...UNKNOWN,
    explanation:
      'The address was not verified: too many addresses of its domain were verified from this page or client.',
  },
  egress_unavailable: {
    ...UNKNOWN,
    explanation:
      'The way out of this service to mail servers does not work, so none was contacted. `smtp.text` says why.',
  },
  internal_error: { ...UNKNOWN, explanation: 'An internal error occurred.' },
} as const satisfies Record<string, { status: Status; score: number; explanation: string }>;

export type Reason = keyof typeof REASON_TABLE;
export const REASONS = Object.keys(REASON_TABLE) as [Reason, ...Reason[]];

export const STATUS_OF = Object.fromEntries(
  REASONS.map((reason) => [reason, REASON_TABLE[reason].status]),
) as { readonly [Name in Reason]: (typeof REASON_TABLE)[Name]['status'] };

/** The stages of an SMTP session, in order (RFC 5321 §3). */
export const SMTP_STAGES = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'] as const;
export type SmtpStage = (typeof SMTP_STAGES)[number];

/** The meaning of a mail server's reply, from its stage, codes and text. */
export const SMTP_CATEGORIES = [
  'accepted',
  'rate_limited',
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
  'greylisted',
  'temporary',
  'sender_blocked',
  'policy',
  'protocol',
  'smtputf8',
  'null_mx',
] as const;
export type SmtpCategory = (typeof SMTP_CATEGORIES)[number];

export interface Checks {
  disposable: boolean;
  privacyRelay: boolean;
  role: boolean;
  free: boolean;
  subaddress: boolean;
  noReply: boolean;
  catchAll: boolean | null;
  mailboxFull: boolean | null;
  disabled: boolean | null;
  smtputf8: boolean | null;
}

export interface MxRecord {
  /** A-label, lower case, without the final dot. */
  host: string;
  /** 0–65535; the lowest is tried first (RFC 5321 §5.1). */
  preference: number;
}

export interface DnsEvidence {
  mxFound: boolean | null;
  /** No MX record, but the domain has an address record (RFC 5321 §5.1). */
  implicitMx: boolean | null;
  /** The domain declares that it accepts no mail (RFC 7505). */
  nullMx: boolean | null;
  mx: MxRecord[];
  /** The mail provider, detected by the names of the MX hosts; null when it is not known. */
  provider: string | null;
  /** Of `dns_error`: the name servers that were queried, each with its last response; null or missing: not known. */
  error?: string | null | undefined;
}

/** `rule` when no server was contacted, because new egresses have reached their daily ceiling. */
export const WARMUP_RULE = 'egress.warmup';
/** `rule` when the egress itself failed; `text` says why, as `rcpt doctor` does. */
export const EGRESS_UNAVAILABLE_RULE = 'egress_unavailable';

/**
 * The decisive SMTP reply. If an open circuit breaker prevented the connection, `attempts` is 0,
 * `category` is `sender_blocked`, and all other members are null; if the ceiling of a new egress did,
 * `rule` is set too.
 */
export interface SmtpEvidence {
  stage: SmtpStage | null;
  /** Basic reply code (RFC 5321 §4.2); null without a reply. */
  code: number | null;
  /** Enhanced status code (RFC 3463); null if the reply has none. */
  enhancedCode: string | null;
  /** null without a reply; the verdict's reason says why. */
  category: SmtpCategory | null;
  /** The rule that classified the reply (see `rcpt explain`); null or missing without a reply. */
  rule?: string | null;
  mxHost: string | null;
  /** Number of connection attempts, including this one. */
  attempts: number;
  tls: boolean | null;
  /** The text of the reply without control characters, at most 200 characters; null without a reply. */
  text: string | null;
  /** The name of the egress that was used (`SMTP_EGRESS`); null or missing when no server was contacted. */
  egress?: string | null;
}

export const DECISIONS = ['accept', 'review', 'reject'] as const;
export type PolicyDecision = (typeof DECISIONS)[number];

export interface ListMatch {
  list: 'blocklist' | 'disposable' | 'privacy_relay' | 'role';
  scope: 'global' | 'team';
  /** The matching entry, as it is written in the list. */
  pattern: string;
  source: string;
}

export interface Verdict {
  email: string;
  /** NFC, domain as lower-case A-labels, unnecessary quotes removed; null if it is not an address. */
  normalizedEmail: string | null;
  localPart: string | null;
  domain: string | null;
  status: Status;
  reason: Reason;
  /** The reason before outcomes of the team's mails changed it; the groups of estimates have it. */
  reasonOfFacts: Reason;
  /** 0–100, higher is safer to send to. */
  score: number;
  didYouMean: string | null;
  checks: Checks;
  dns: DnsEvidence;
  /** null: no SMTP session was needed or allowed. */
  smtp: SmtpEvidence | null;
  policy: { decision: PolicyDecision; rule: string | null };
  /** The latest outcome of a mail to the address; null: the team has none. */
  outcome: KnownOutcome | null;
  /** It never changes the status; null: the team has not reported what arrives at such addresses. */
  estimate: Estimate | null;
  listMatch: ListMatch | null;
  /** Seconds until the address is rechecked, or until a new request may give another result. */
  retryAfter: number | null;
  verifiedAt: Date;
  cached: boolean;
  ageSeconds: number;
  durationMs: number;
}
