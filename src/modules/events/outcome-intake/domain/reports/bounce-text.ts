import { quotedReply, replyOfStatus, type QuotedReply } from '../../../../../engine/replies/quoted-reply.js';
import { mailboxIn } from './mailbox.js';
import type { Failure } from './report.js';

export const MAX_RECIPIENTS = 1_000;
const MAX_LINE_LENGTH = 1_000;
const MAX_SAID_LENGTH = 4_000;

/** What a text says of one recipient. */
export interface Section {
  /** Empty: the line names a place on the server, and another one the recipient. */
  email: string;
  line: string;
  /** The last line with text before it. */
  before: string;
  /** The rest of the line of the address. */
  rest: string;
  /** The lines after it, without blank ones at their ends. */
  lines: readonly string[];
}

/**
 * The sections that begin with a recipient.
 *
 * @param address of a line: the group `email`, and the group `rest` if the text goes on behind it; or the group `local`.
 */
export function sectionsOf(text: string, address: RegExp): Section[] {
  const sections: (Section & { lines: string[]; size: number })[] = [];
  let before = '';
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    const { email: written, local, rest = '' } = address.exec(line)?.groups ?? {};
    const email = local === undefined ? mailboxIn(written ?? '') : '';
    const last = sections.at(-1);
    if (email !== null) {
      if (sections.length === MAX_RECIPIENTS) break;
      sections.push({ email, line, before, rest: rest.trim(), lines: [], size: rest.length });
    } else if (last !== undefined && last.size < MAX_SAID_LENGTH) {
      last.lines.push(line);
      last.size += line.length + 1;
    }
    if (line.trim() !== '') before = line.trim();
  }
  return sections;
}

/** What a program writes before the code of a reply. */
const LABEL = /^(?:-- |#(?=[245]\d\d[ -])|\S{1,253} #(?=[245]\d\d[ -]))/;

/** The reply that lines quote: from the first one with a code on, up to a blank line. */
export function replyIn(lines: readonly string[]): QuotedReply | null {
  const trimmed = lines.map((line) =>
    line
      .trim()
      .replace(LABEL, '')
      .replace(/^([245]\d\d): /, '$1 '),
  );
  const first = trimmed.findIndex((line) => quotedReply(line) !== null);
  if (first >= 0) {
    const after = trimmed.slice(first);
    const end = after.indexOf('');
    return quotedReply(after.slice(0, end < 0 ? undefined : end).join('\n'));
  }
  const status = trimmed.find((line) => replyOfStatus(null, line) !== null);
  return status === undefined ? statusInBrackets(trimmed) : replyOfStatus(null, status);
}

/** qmail-local: Sorry, no mailbox here by that name. (#5.1.1) Exchange 2003: <mx.example.com #5.1.1> */
function statusInBrackets(lines: readonly string[]): QuotedReply | null {
  const text = lines.join(' ').trim();
  const status = /[(<](?:[\w.-]{1,253} )?#([45]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1];
  return replyOfStatus(status, text);
}

/** The words of a failure for good as a reply, where the program gives no code. */
export function wordsOf(lines: readonly string[]): QuotedReply | null {
  const text = lines.join(' ').replace(/\s+/g, ' ').trim();
  return text === '' ? null : { code: 550, lines: [text] };
}

export function failureOf({ email, rest, lines }: Section): Failure {
  return { email, reply: replyIn([rest, ...lines]) };
}
