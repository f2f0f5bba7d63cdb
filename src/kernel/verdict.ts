/**
 * The product's central noun. Its shape is the API's answer to `GET /v1/verify`
 * and every row of a bulk result; the rules that reach it live in
 * `modules/verification/domain`.
 *
 * One convention holds throughout: `null` means "not tested, or could not be
 * told"; `false` means "tested, and no".
 */

export const STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/** Every reason, with the one status it belongs to. */
export const STATUS_OF = {
  accepted_email: 'deliverable',

  catch_all: 'risky',
  catch_all_unknown: 'risky',
  disposable: 'risky',
  role: 'risky',
  mailbox_full: 'risky',
  inconclusive_provider: 'risky',
  blocked_domain: 'risky',

  invalid_syntax: 'undeliverable',
  invalid_domain: 'undeliverable',
  no_mail_server: 'undeliverable',
  null_mx: 'undeliverable',
  mailbox_not_found: 'undeliverable',
  mailbox_disabled: 'undeliverable',
  smtputf8_unsupported: 'undeliverable',

  dns_error: 'unknown',
  no_connect: 'unknown',
  timeout: 'unknown',
  greylisted: 'unknown',
  temporary_failure: 'unknown',
  sender_blocked: 'unknown',
  recipient_policy: 'unknown',
  smtp_protocol_error: 'unknown',
  smtp_disabled: 'unknown',
  unsafe_mail_server: 'unknown',
  internal_error: 'unknown',
} as const satisfies Record<string, Status>;

export type Reason = keyof typeof STATUS_OF;
export const REASONS = Object.keys(STATUS_OF) as [Reason, ...Reason[]];

/** The stages of an SMTP dialogue, in their order (RFC 5321 §3). */
export const SMTP_STAGES = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'] as const;
export type SmtpStage = (typeof SMTP_STAGES)[number];

/** What a mail server's reply means, once its stage, codes and words were read together. */
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
  /** 0–65535, lower is tried first (RFC 5321 §5.1). */
  preference: number;
}

export interface DnsEvidence {
  mxFound: boolean | null;
  /** No MX record, but the domain has an address of its own (RFC 5321 §5.1). */
  implicitMx: boolean | null;
  /** The domain says that it takes no mail (RFC 7505). */
  nullMx: boolean | null;
  mx: MxRecord[];
  /** Who runs the mail servers, by the names of the hosts; null when nobody we know. */
  provider: string | null;
}

/**
 * The reply that decided. Where earlier refusals stand for the answer no server was dialled:
 * then `attempts` is 0, `category` is `sender_blocked`, and all else is null.
 */
export interface SmtpEvidence {
  stage: SmtpStage | null;
  /** Basic reply code (RFC 5321 §4.2); null when no reply came. */
  code: number | null;
  /** Enhanced status code (RFC 3463); null when the reply carried none. */
  enhancedCode: string | null;
  /** null when no reply came: then the verdict's reason tells. */
  category: SmtpCategory | null;
  mxHost: string | null;
  /** Hosts and addresses dialled, this one included. */
  attempts: number;
  tls: boolean | null;
  /** The reply's text, control characters removed, at most 200 characters; null when no reply came. */
  text: string | null;
}

export type PolicyDecision = 'accept' | 'review' | 'reject';

export interface ListMatch {
  list: 'blocklist' | 'disposable' | 'privacy_relay' | 'role';
  scope: 'global' | 'team';
  /** The entry that matched, as the list spells it. */
  pattern: string;
  source: string;
}

export interface Verdict {
  /** As it was asked. */
  email: string;
  /** NFC, domain as lower-case A-label, unnecessary quotes removed; null when it is no address. */
  normalizedEmail: string | null;
  localPart: string | null;
  domain: string | null;
  status: Status;
  reason: Reason;
  /** 0–100, higher is safer to send to. */
  score: number;
  didYouMean: string | null;
  checks: Checks;
  dns: DnsEvidence;
  /** null: no SMTP dialogue was needed, or none was allowed. */
  smtp: SmtpEvidence | null;
  policy: { decision: PolicyDecision; rule: string | null };
  listMatch: ListMatch | null;
  /** Seconds after which the address is rechecked, or another call may tell more. */
  retryAfter: number | null;
  verifiedAt: Date;
  cached: boolean;
  ageSeconds: number;
  durationMs: number;
}
