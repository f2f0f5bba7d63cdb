import type { Exchange } from '../smtp-transcript.js';
import { EGRESS_UNAVAILABLE_RULE, type SmtpCategory, type SmtpStage } from '../../../kernel/verdict.js';
import type { ProbeEnd, RandomProbe } from '../probe.js';
import { deniesRelaying } from '../../replies/mailbox-reply.js';
import { words } from '../../../kernel/text/words.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';
import { SmtpFailure, type SmtpFailureKind } from './smtp-wire.js';

/** The result of one server. */
export interface SmtpProbeResult {
  end: ProbeEnd;
  /** By which name the search asked the server; '' in a session, which may be used for several names. */
  mxHost: string;
  stage: SmtpStage;
  /** The decisive reply; null when the session failed. */
  reply: SmtpReply | null;
  category: SmtpCategory | null;
  rule: string | null;
  tls: boolean;
  /** null when there was no reply to EHLO. */
  smtputf8: boolean | null;
  /** True: a reply about the recipient; no other server is tried. */
  isFinal: boolean;
  /** Why our own egress failed, without an address. */
  failure?: string;
  /** What was said in a session that could not be opened: the reply that rejects the connection is in it. */
  beginning?: readonly Exchange[];
  /** The server closed the connection at EHLO, for a reason that is not about us: it may support HELO only. */
  isHeloUntried?: true;
}

export const NO_REPLY = {
  mxHost: '',
  reply: null,
  category: null,
  rule: null,
  tls: false,
  smtputf8: null,
  isFinal: false,
} satisfies Partial<SmtpProbeResult>;

const END_OF: Readonly<Record<SmtpFailureKind, ProbeEnd>> = {
  unreachable: 'no_connect',
  egress_failed: 'egress_failed',
  timeout: 'timeout',
  lost: 'smtp_protocol_error',
  protocol: 'smtp_protocol_error',
  tls: 'smtp_protocol_error',
};

/**
 * The result of a session that failed.
 *
 * @throws errors other than SmtpFailure, which are bugs.
 */
export function failedResult(
  failure: unknown,
  { tls = false, smtputf8 = null as boolean | null } = {},
): SmtpProbeResult {
  if (!(failure instanceof SmtpFailure)) throw failure;
  const { kind, stage, message } = failure;
  const result = { ...NO_REPLY, end: END_OF[kind], stage, tls, smtputf8 };
  if (kind !== 'egress_failed') return result;
  return { ...result, rule: EGRESS_UNAVAILABLE_RULE, failure: message };
}

/**
 * postscreen's deep protocol tests defer every client on its first connection and accept it on the
 * next. This is not greylisting: no delay is needed.
 */
export function isFirstContactDeferral({ reply, stage }: SmtpProbeResult): boolean {
  return stage === 'rcpt' && reply?.code === 450 && reply.enhancedCode === '4.3.2';
}

export function isRelayingDenied({ reply, rule }: SmtpProbeResult): boolean {
  return reply !== null && rule === 'recipient5xx.relaying' && deniesRelaying(reply);
}

/**
 * Whether the reply reports a limit on this connection or on concurrent connections, and says nothing
 * about the recipient.
 */
export function isOverload({ reply, stage, category }: SmtpProbeResult): boolean {
  // Many servers send 452 without an enhanced code for a full mailbox.
  if (reply === null || category === 'mailbox_full') return false;
  if (reply.code === 421 || stage === 'mail') return true;
  return reply.code === 452 && (reply.enhancedCode ?? '4.5.3') === '4.5.3';
}

export function toRandomProbe({ category, reply, isFinal, end }: SmtpProbeResult): NonNullable<RandomProbe> {
  if (end === 'egress_failed') return end;
  if (!isFinal || reply === null || category === null) return 'unusable';
  if (category === 'accepted') return 'accepted';
  return reply.code >= 500 && REJECTS_UNKNOWN_USERS.has(category) ? 'rejected' : 'unusable';
}

/**
 * Permanent rejections that do not concern us: a domain that rejects a random address with one is not
 * catch-all.
 */
const REJECTS_UNKNOWN_USERS: ReadonlySet<SmtpCategory> = new Set([
  'mailbox_not_found',
  'mailbox_disabled',
  'policy',
]);

/** The server accepts the recipient after a delay. */
export function isDeferral({ category }: SmtpProbeResult): boolean {
  return category === 'greylisted' || category === 'temporary';
}

/**
 * Whether a server that closed the connection at EHLO may not know the command. A refusal of our name or address, a
 * greylist, a limit or a fault would be repeated.
 */
export function mayBeAboutEhlo({ stage, reply, rule }: SmtpProbeResult): boolean {
  if (stage !== 'ehlo') return false;
  if (reply === null) return true;
  return (
    ABOUT_COMMANDS.has(rule ?? '') &&
    !/den(y|ied)|reject|refus|block|ban|allow|permit|welcome/i.test(reply.text)
  );
}

const ABOUT_COMMANDS: ReadonlySet<string> = new Set(
  words('code_protocol code_temporary temporary refused otherwise').map((name) => `beforeRecipient.${name}`),
);

/** Rejected in the banner: the server has too many connections. */
export function isBusy(probeResult: SmtpProbeResult): boolean {
  return probeResult.stage === 'banner' && isOverload(probeResult);
}
