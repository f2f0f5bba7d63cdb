import { createHash } from 'node:crypto';
import { consumerProviderOf, providerOf } from '../../../../engine/providers/mail-exchange.js';
import { parseEmailAddress, type EmailAddress } from '../../../../engine/address/email-address.js';
import { isHard, readBounce } from '../../../../engine/replies/bounce-reply.js';
import type { ReplyMeaning } from '../../../../engine/replies/mailbox-reply.js';
import { quotedReply, replyOfStatus, type QuotedReply } from '../../../../engine/replies/quoted-reply.js';
import { excerpt, smtpReply, type SmtpReply } from '../../../../engine/replies/smtp-reply.js';
import type { IgnoredReport, OutcomeReport } from '../../../../kernel/outcome-report.js';
import type { SmtpCategory } from '../../../../kernel/verdict.js';
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
    text: withoutAddresses(reply?.text ?? report.statement ?? '', address) || null,
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
  report: OutcomeReport,
  reply: SmtpReply | null,
  { domain, normalized }: EmailAddress,
): SmtpCategory | null {
  const { finalRecipient, remoteHost, category = null, neverHard } = report;
  const consumer = consumerProviderOf(domain)?.split(' ')[0] ?? null;
  const provider = (remoteHost ? providerOf(remoteHost) : null) ?? consumer;
  const recipient = finalRecipient ?? normalized;
  const meaning = reply === null ? null : readBounce({ reply, recipient, provider });
  const isUnclear = meaning === null || (saysNothing(meaning) && !hasCode(report));
  const read = isUnclear ? (category ?? meaning?.category ?? null) : meaning.category;
  if (!isHard(read)) return read;
  return neverHard === true || isAboutSender(report, domain) ? null : read;
}

const ADDRESS = /[^\s<>"'(),;:@[\]]{1,64}@[^\s<>"'(),;:@[\]]{1,255}/g;

/** Addresses from which servers and verifiers ask whether a mailbox exists. */
const PROBE = /^(?:verif|probe|callout|callback|double-bounce|postmaster|mailer-daemon)/;

/**
 * A server asks ours, or a verifier asks, whether an address exists, and the reply to that is quoted: it names the sender
 * or who asked, and not the recipient.
 */
function isAboutSender(
  { reply, sender, email, finalRecipient = email }: OutcomeReport,
  domain: string,
): boolean {
  const named = Array.from((reply ?? '').toLowerCase().matchAll(ADDRESS), ([name]) =>
    name.replace(/\.$/, ''),
  );
  const recipients = [email, finalRecipient].map((address) => address.toLowerCase());
  if (named.some((address) => recipients.includes(address))) return false;
  const own = sender?.toLowerCase();
  return named.some((name) => name === own || (PROBE.test(name) && !name.endsWith(`@${domain}`)));
}

/** Neither words nor codes decided. */
function saysNothing({ rule }: ReplyMeaning): boolean {
  return rule === 'recipient5xx.otherwise';
}

/** Words without a code may be those of the source, which has classified them. */
function hasCode({ reply, code }: OutcomeReport): boolean {
  const text = reply ?? '';
  return Boolean(code) || quotedReply(text) !== null || replyOfStatus(null, text) !== null;
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
  const { reply, statement, code, enhancedCode } = said;
  const message = messageId?.trim();
  const event = message ? ['message', message] : [time, reply ?? statement, code, enhancedCode];
  return createHash('sha256')
    .update(JSON.stringify([outcome, ...event]))
    .digest('hex')
    .slice(0, 32);
}
