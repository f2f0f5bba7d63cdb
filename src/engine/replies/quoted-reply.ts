export interface QuotedReply {
  code: number;
  /** The text after the code on each line. */
  lines: readonly string[];
  /** It stood in the words of another program, whose codes and status count no more. */
  isWrapped?: boolean;
}

const MAX_LENGTH = 4_000;
/** Wrappers around each other; further ones are read as words. */
const MAX_DEPTH = 6;
const REPLY = /^([245]\d\d)(?:[ -]|$)/;
/** A reply code, and no number of something else. */
const CODE = String.raw`(?=[245]\d\d[ -](?!\s{0,3}(?:[kmg]b|bytes|seconds|minutes|hours|days|codes?)\b))`;

/**
 * What programs write before the reply of another server.
 * A rule with a class and a code in it is about a reply whose code stands apart.
 */
export const WRAPPERS: readonly RegExp[] = [
  // Cisco: 5.1.0 - Unknown address error 550-'5.2.2 …', ('550', ['5.2.2 …']) or '5.2.2 …'
  /(?:^|\s)(?<class>[45])\.\d{1,3}\.\d{1,3} - [^'"[\n\d]{3,120}(?:\('(?<list>[245]\d\d)',\s{0,3}\[|(?<code>[245]\d\d)-)?['"]/,
  // Exchange 2003, a host and its status: <mx.example.com #5.1.1 smtp;550 …>
  new RegExp(String.raw`#[245]\.\d{1,3}\.\d{1,3}\s{1,5}smtp;\s{0,5}${CODE}`, 'i'),
  // Exchange: 550 5.4.300 Message expired -> 452 …
  new RegExp(String.raw`->\s{0,5}${CODE}`),
  // Amavis
  new RegExp(String.raw`from MTA\([^()]{1,200}\):\s{0,5}${CODE}`, 'i'),
  // Amazon SES: unable to deliver in 840 minutes.<421 …>
  new RegExp(String.raw`\.\s{0,3}<${CODE}`),
  // Barracuda, Momentum, Sendmail: (jane@example.com:550 …), (451 …), (reason: 550 …)
  new RegExp(String.raw`\((?:[^\s()]{1,320}:|reason:\s{0,5})?${CODE}`, 'i'),
  // host mx.example.com[192.0.2.1] said: 550 …; Response was: 550 …; LED=450 …; returned '550 …'
  new RegExp(
    String.raw`\b(?:said|says|responded|replied|answered|returned|response|reply|answer|was|with|error|reason|deferred|LastError|LED)\b(?:\s?[:=.]|\s(?=['"<]))\s{0,20}(?:smtp;\s{0,5})?['"<]?${CODE}`,
    'i',
  ),
  // Exim: host mx.example.com [192.0.2.1]: 550 …; host 192.0.2.1: 550 …
  new RegExp(String.raw`(?:[\]>]|\bhost \S{1,253}):\s{0,20}${CODE}`),
];
/** Only where the text begins with no code. */
const QUOTE = new RegExp(String.raw`['"]${CODE}`);

/** Words about our own address: the reply that is quoted is not about the recipient. */
const ABOUT_SENDER = /\bsender\b|\bcall-?(?:back|out)\b|\bverif|\bmail from\b|\breturn address\b/i;

/**
 * The reply in a diagnostic text; of a reply that quotes another one, the one inside. The lines of a longer reply are
 * often joined; each begins with the same code.
 *
 * @returns null: the text has no reply code at its start, or after the words that introduce a reply.
 */
export function quotedReply(diagnostic: string): QuotedReply | null {
  let text = diagnostic.slice(0, MAX_LENGTH).trim();
  let isWrapped = false;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const quotation = quotationIn(text);
    if (quotation === null) break;
    text = quotation.inner ?? quotation.others;
    isWrapped = true;
  }
  const code = REPLY.exec(text)?.[1];
  if (code === undefined) return null;
  const lines = text
    .split(new RegExp(`(?:\\n|(?<=\\s))(?=${code}[ -])`))
    .flatMap((part) => part.split('\n'))
    .map((line) => line.trim().replace(new RegExp(`^${code}(?:[ -]|$)`), ''));
  return { code: Number(code), lines: lines.filter(isText), isWrapped };
}

interface Quotation {
  /** From the code of the reply on; null: it is about the sender. */
  inner: string | null;
  /** The lines without it. */
  others: string;
}

/** The reply that is quoted first; null: none is. */
function quotationIn(text: string): Quotation | null {
  const patterns = REPLY.test(text) ? WRAPPERS : [...WRAPPERS, QUOTE];
  const [found] = patterns
    .map((pattern) => pattern.exec(text))
    .filter((match) => match !== null)
    .sort((one, other) => endOf(one) - endOf(other));
  if (found === undefined) return null;
  const before = text.slice(0, found.index);
  const rest = text.slice(endOf(found));
  const nextLine = rest.indexOf('\n');
  const others = `${before.trim()}${nextLine < 0 ? '' : rest.slice(nextLine)}`;
  if (ABOUT_SENDER.test(withoutNames(before))) return { inner: null, others };
  const { class: kind, list, code = list } = found.groups ?? {};
  const inner = kind === undefined ? rest : `${code ?? codeOf(kind)} ${rest}`;
  return { inner: withoutEnd(inner), others };
}

const endOf = (match: RegExpExecArray) => match.index + match[0].length;

/** Without addresses and the names of hosts. */
function withoutNames(text: string): string {
  const words = text.split(/\s/);
  return words.filter((word) => !/[@.]/.test(word)).join(' ');
}

/** Without what closes a quotation, and what the program writes after it. */
function withoutEnd(text: string): string {
  const closed = text
    .replace(/\}{1,2};\{MSG=.*$/s, '')
    .replace(/\s{0,5}\(delivery attempts: \d{1,5}\)$/, '')
    .replace(/['">\]}]{1,5}$/, '');
  return closed.includes('(') ? closed : closed.replace(/\)$/, '');
}

const codeOf = (kind: string) => (kind === '4' ? '450' : '550');
const isText = (line: string) => line !== '';

/**
 * A reply from a status code (RFC 3463) alone, where a program that is no SMTP server reports its own failure.
 *
 * @param text may begin with a status itself, which counts then.
 * @returns null: there is no status of a failure.
 */
export function replyOfStatus(status: string | null | undefined, text: string): QuotedReply | null {
  const plain = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim();
  const own = STATUS.exec(plain);
  const found = own ?? STATUS.exec(status ?? '');
  if (found === null) return null;
  const [, kind = '5', subject = '0', detail = '0'] = found;
  const words = own === null ? plain : plain.slice(own[0].length).trim();
  return { code: Number(codeOf(kind)), lines: [`${kind}.${subject}.${detail} ${words}`.trim()] };
}

const STATUS = /^\s*#?([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;
