import { quotedReply, type QuotedReply } from '../../../../engine/replies/quoted-reply.js';
import type { ReportEntry } from '../../../../kernel/outcome-report.js';
import { NO_RECIPIENT, reported, type Origin } from './report.js';
import { addressIn } from './report-fields.js';

/** The first line of a bounce in qmail-send's format (QSBMF), after a greeting that may be changed. */
const QMAIL = /^[ \t]*Hi\. This is (?:the|a) [^\r\n]{0,200}/m;
const END_OF_QMAIL = /^--- (?:Below this line|Enclosed are|There are)/m;
const REMOTE = 'Remote host said:';
const MAX_RECIPIENTS = 1_000;

/** The recipients of a bounce that is written for people; null: the text is no such bounce. */
export function plainBounce(
  text: string,
  failedRecipients: string | null,
  origin: Origin,
): ReportEntry[] | null {
  if (QMAIL.test(text)) return qmailBounce(text, origin);
  return failedRecipients === null ? null : eximBounce(text, failedRecipients, origin);
}

/** QSBMF: one paragraph for each recipient, which begins with `<address>:`. */
function qmailBounce(text: string, origin: Origin): ReportEntry[] {
  const end = END_OF_QMAIL.exec(text)?.index ?? text.length;
  const paragraphs = text.slice(0, end).split(/\r?\n[ \t]*\r?\n/);
  const found = paragraphs.flatMap((paragraph) => {
    const [first = '', ...said] = paragraph.trim().split(/\r?\n/);
    const email = first.endsWith('>:') ? addressIn(first.slice(0, -1)) : null;
    return email === null
      ? []
      : [reported(origin, email, 'bounced', { reply: paragraphReply(said.join('\n')) })];
  });
  return found.length > 0 ? found.slice(0, MAX_RECIPIENTS) : [NO_RECIPIENT];
}

/**
 * "Remote host said: 550 …" quotes a reply. qmail-local's own failures are sentences with a code in brackets,
 * such as "Sorry, no mailbox here by that name. (#5.1.1)".
 */
function paragraphReply(said: string) {
  const text = said.trim();
  const at = text.indexOf(REMOTE);
  const quoted = quotedReply(at < 0 ? text : text.slice(at + REMOTE.length));
  if (quoted !== null)
    return { ...quoted, lines: quoted.lines.filter((line) => !/^Giving up on /.test(line)) };
  const code = /\(#([45])\.\d{1,3}\.\d{1,3}\)/.exec(text)?.[1];
  return code === undefined
    ? null
    : { code: code === '4' ? 450 : 550, lines: [text.replace(/\s+/g, ' ').slice(0, 1_000)] };
}

/** Exim without a delivery status names the recipients in a header, and quotes each in a paragraph. */
function eximBounce(text: string, failedRecipients: string, origin: Origin): ReportEntry[] {
  const emails = new Set(failedRecipients.split(',').flatMap((part) => addressIn(part.trim()) ?? []));
  if (emails.size === 0) return [NO_RECIPIENT];
  const paragraphs = new Map<string, string>();
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const [first = ''] = paragraph.trimStart().split('\n', 1);
    if (!paragraphs.has(first.trim())) paragraphs.set(first.trim(), paragraph);
  }
  return [...emails].slice(0, MAX_RECIPIENTS).map((email) => {
    return reported(origin, email, 'bounced', { reply: replyInParagraph(paragraphs.get(email) ?? '') });
  });
}

/** The lines from the first one with a reply code. A host may stand before the reply, on the same line. */
function replyInParagraph(paragraph: string): QuotedReply | null {
  const lines = paragraph.split(/\r?\n/).map((line) => line.trim());
  const at = lines.findIndex((line) => quotedReply(line) !== null);
  return at < 0 ? null : quotedReply(lines.slice(at).join('\n'));
}
