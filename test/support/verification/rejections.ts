import type { SmtpStage } from '../../../src/kernel/verdict.js';
import type { BreakerRequest } from '../../../src/engine/egress/breakers.js';
import type { ProbeOutcome, ServerEvidence } from '../../../src/engine/smtp/probe.js';
import { anAddress, aReply } from './evidence.js';

/** Texts of rejections, by the subject of the text. */
export const REJECTIONS = {
  sender: 'Service unavailable, your IP address is blocked',
  team: 'Client host [192.0.2.1] blocked using Customer Block List',
  recipient: 'Sender blocked by recipient',
  nobody: 'blocked',
};

export const asked = (team: string, email: string, egress?: string): BreakerRequest => ({
  team,
  address: anAddress(email),
  ...(egress === undefined ? {} : { egress }),
});

export function aRejection(
  mxHost: string,
  text = REJECTIONS.sender,
  stage: SmtpStage = 'rcpt',
): ServerEvidence {
  const enhancedCode = '5.7.1';
  return {
    stage,
    code: 550,
    enhancedCode,
    category: 'sender_blocked',
    mxHost,
    attempts: 1,
    tls: false,
    text,
  };
}

export function rejectedBy(
  mxHost: string,
  text = REJECTIONS.sender,
  stage: SmtpStage = 'rcpt',
): ProbeOutcome {
  const evidence = aRejection(mxHost, text, stage);
  return { end: 'replied', evidence, random: null, smtputf8: null, rejections: [evidence] };
}

/** A reply about the recipient, after rejections of other servers. */
export function answeredBy(mxHost: string, rejections: readonly ServerEvidence[] = []): ProbeOutcome {
  const reply = aReply('mailbox_not_found');
  return { ...reply, evidence: reply.evidence && { ...reply.evidence, mxHost }, rejections };
}

/** The MX host of a Microsoft team. */
export const atMicrosoft = (domain: string) => `${domain.replaceAll('.', '-')}.mail.protection.outlook.com`;
