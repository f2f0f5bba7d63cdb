import { createHash } from 'node:crypto';
import { consumerProviderOf, providerOf } from '../../../engine/providers/mail-exchange.js';
import { parseEmailAddress, type EmailAddress } from '../../../engine/address/email-address.js';
import { isHard, readBounce } from '../../../engine/replies/bounce-reply.js';
import { quotedReply, replyOfStatus, type QuotedReply } from '../../../engine/replies/quoted-reply.js';
import { excerpt, smtpReply, type SmtpReply } from '../../../engine/replies/smtp-reply.js';
import type { IgnoredReport, OutcomeReport } from '../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../kernel/verdict.js';
import { expiryOf, type NewOutcome } from './outcome.js';

/** Clocks differ; a time up to this much later counts as now. */
const MAX_AHEAD_MS = 60_000;

/** Classifies a report. */
export function readOutcome(report: OutcomeReport, now: Date): NewOutcome | IgnoredReport {
  const parsed = parseEmailAddress(report.email);
  if (!parsed.ok) return { code: 'invalid_email', message: 'email is no address.' };
  const reportedAt = report.at ?? now;
  if (reportedAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    return { code: 'in_future', message: 'at is in the future.' };
  if (reportedAt < expiryOf(now)) return { code: 'too_old', message: 'at is more than 400 days ago.' };
  const { address } = parsed;
  const at = reportedAt > now ? now : reportedAt;
  const reply = report.outcome === 'bounced' ? replyIn(report) : null;
  const category = report.outcome === 'bounced' ? categoryOf(report, reply, address) : null;
  return {
    key: address.key,
    domain: address.domain,
    kind: report.outcome,
    at,
    category,
    isHard: isHard(category),
    code: reply?.code ?? report.code ?? null,
    enhancedCode: reply?.enhancedCode ?? report.enhancedCode ?? null,
    text: reply === null ? null : withoutAddresses(reply.text, address) || null,
    eventKey: eventKeyOf(report, at),
  };
}

/**
 * The codes of the report count where the text has none, and is not the reply in the words of another program; a text
 * without codes is read by its words.
 */
function replyIn({ reply, code, enhancedCode }: OutcomeReport): SmtpReply | null {
  const text = reply ?? '';
  const lines = text.split(/\r?\n/);
  const ofCode = code ? { code, lines } : replyOfStatus(enhancedCode, text);
  const quoted: QuotedReply | null =
    quotedReply(text) ?? ofCode ?? (text === '' ? null : { code: 550, lines });
  if (quoted === null) return null;
  const read = smtpReply(quoted.code, quoted.lines);
  return read.enhancedCode === null && enhancedCode && quoted.isWrapped !== true
    ? smtpReply(quoted.code, [enhancedCode, ...quoted.lines])
    : read;
}

function categoryOf(
  { finalRecipient, remoteHost, category, neverHard }: OutcomeReport,
  reply: SmtpReply | null,
  { domain, normalized }: EmailAddress,
): SmtpCategory | null {
  if (reply === null) return neverHard === true ? null : (category ?? null);
  const consumer = consumerProviderOf(domain)?.split(' ')[0] ?? null;
  const provider = (remoteHost ? providerOf(remoteHost) : null) ?? consumer;
  const read = readBounce({ reply, recipient: finalRecipient ?? normalized, provider }).category;
  return neverHard === true && isHard(read) ? null : read;
}

/** At most 200 characters, in which addresses and the local part are replaced. */
function withoutAddresses(text: string, { localPart }: EmailAddress): string {
  const name = localPart.toLowerCase();
  const words = text.split(/\s+/).map((word) => {
    if (word.includes('@')) return '[address]';
    return word
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}]/u, '')
      .replace(/[^\p{L}\p{N}]$/u, '') === name
      ? '[address]'
      : word;
  });
  // Half of a surrogate pair cannot be stored.
  return excerpt(Buffer.from(words.join(' ')).toString());
}

const DAY = 'YYYY-MM-DD'.length;

/**
 * The same message, address and outcome again is a duplicate. Without a Message-ID it is the same time and
 * reply; without a time, the same day.
 */
function eventKeyOf({ outcome, messageId, at, ...said }: OutcomeReport, now: Date): string {
  const time = at?.toISOString() ?? now.toISOString().slice(0, DAY);
  const { reply, code, enhancedCode } = said;
  const message = messageId?.trim();
  const event = message ? ['message', message] : [time, reply, code, enhancedCode];
  return createHash('sha256')
    .update(JSON.stringify([outcome, ...event]))
    .digest('hex')
    .slice(0, 32);
}
