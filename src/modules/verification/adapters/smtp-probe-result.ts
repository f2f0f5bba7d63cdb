import type { SmtpCategory, SmtpStage } from '../../../kernel/verdict.js';
import type { ProbeEnd } from '../domain/mailbox-prober.js';
import type { SmtpReply } from '../domain/smtp-reply.js';
import { SmtpFailure, type SmtpFailureKind } from './smtp-failure.js';

/** One server's part in the answer. */
export interface SmtpProbeResult {
  end: ProbeEnd;
  stage: SmtpStage;
  /** The reply that decided; null when the dialogue broke off. */
  reply: SmtpReply | null;
  category: SmtpCategory | null;
  tls: boolean;
  /** null until EHLO was answered. */
  smtputf8: boolean | null;
  /** An answer about the recipient: no other server would know better. */
  settled: boolean;
}

const END_OF: Readonly<Record<SmtpFailureKind, ProbeEnd>> = {
  unreachable: 'no_connect',
  no_way_out: 'no_way_out',
  timeout: 'timeout',
  lost: 'smtp_protocol_error',
  protocol: 'smtp_protocol_error',
  tls: 'smtp_protocol_error',
};

/**
 * What is left of a dialogue that broke off.
 *
 * @throws what is no SmtpFailure: a fault of ours is no word about the server.
 */
export function brokenOff(
  failure: unknown,
  { tls = false, smtputf8 = null as boolean | null } = {},
): SmtpProbeResult {
  if (!(failure instanceof SmtpFailure)) throw failure;
  const { kind, stage } = failure;
  return { end: END_OF[kind], stage, tls, smtputf8, reply: null, category: null, settled: false };
}

/**
 * postscreen's deep tests put every client off the first time, and know it when it comes
 * again: no greylisting, which would want a wait.
 */
export function isFirstMeeting({ reply, stage }: SmtpProbeResult): boolean {
  return stage === 'rcpt' && reply?.code === 450 && reply.enhancedCode === '4.3.2';
}

/** Whether it says that too much was asked of this connection, or of this server at once; not who the recipient is. */
export function isOverload({ reply, stage }: SmtpProbeResult): boolean {
  if (reply === null) return false;
  if (reply.code === 421 || stage === 'mail') return true;
  return reply.code === 452 && (reply.enhancedCode ?? '4.5.3') === '4.5.3';
}
