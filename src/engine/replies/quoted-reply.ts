export interface QuotedReply {
  code: number;
  /** The text after the code on each line. */
  lines: readonly string[];
}

const MAX_LENGTH = 4_000;
const REPLY = /^([245]\d\d)(?:[ -]|$)/;
/** What programs write before the reply of another server. */
const INTRODUCTION =
  /(?:\bsaid:|\bsaid\.|\bresponded:|\breturned:?|\berror:|\breplied:|\bwith:|\bwas:|remote host said:|\]:|>:|')\s{0,20}(?=[245]\d\d[ -])/i;

/**
 * The reply in a diagnostic text. The lines of a longer reply are often joined; each begins with the same code.
 *
 * @returns null: the text has no reply code at its start, or after the words that introduce a reply.
 */
export function quotedReply(diagnostic: string): QuotedReply | null {
  const text = diagnostic.slice(0, MAX_LENGTH).trim();
  const start = REPLY.test(text) ? 0 : startAfterIntroduction(text);
  if (start === null) return null;
  const reply = text.slice(start);
  const code = Number(REPLY.exec(reply)?.[1]);
  const lines = reply
    .split(new RegExp(`(?:\\n|(?<=\\s))(?=${code}[ -])`))
    .flatMap((part) => part.split('\n'));
  return {
    code,
    lines: lines.map((line) => line.trim().replace(new RegExp(`^${code}(?:[ -]|$)`), '')).filter(isText),
  };
}

function startAfterIntroduction(text: string): number | null {
  const found = INTRODUCTION.exec(text);
  return found === null ? null : found.index + found[0].length;
}

const isText = (line: string) => line !== '';

/**
 * A reply from a status code (RFC 3463) alone, where a program that is no SMTP server reports its own failure.
 *
 * @returns null: there is no status of a failure.
 */
export function replyOfStatus(status: string | undefined, text: string): QuotedReply | null {
  const found = /^\s*([45])\.(\d{1,3})\.(\d{1,3})/.exec(status ?? '');
  if (found === null) return null;
  const [, kind = '5', subject = '0', detail = '0'] = found;
  const plain = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim();
  return { code: kind === '4' ? 450 : 550, lines: [`${kind}.${subject}.${detail} ${plain}`.trim()] };
}
