import { words as wordsOf } from '../../kernel/text/words.js';
import { conceptsOf } from './reply-lexicon.js';
import { plain } from './reply-tokens.js';

/** Further characters of a reply are ignored. */
export const MAX_TEXT_LENGTH = 2_000;

/** Names that a reply may repeat, and that are not words of its sentence. */
export interface QuotedNames {
  /** The RCPT address, as it was sent. */
  recipient: string;
  /** The MAIL address; '' for the null sender. */
  sender?: string;
  /** The client name in EHLO. */
  heloName?: string;
}

/**
 * Replaces names in a reply and converts it to lower case: `ghost@`, `spam.folder@` or `disabled@` are
 * names, not words. The recipient's address becomes `<>`, its domain and the hosts in it `<@>`, our
 * sender and its domain `<us>`, our host `<host>`, and the local part alone `<name>`, or `_` if it is also a
 * word about mailboxes or servers.
 */
export function withoutNames(text: string, { recipient, sender = '', heloName = '' }: QuotedNames): string {
  const at = recipient.lastIndexOf('@');
  const localPart = recipient.slice(0, at);
  const domain = recipient.slice(at + 1);
  const unquoted = localPart.replace(/^"(.*)"$/, '$1');
  let words = readable(text.slice(0, MAX_TEXT_LENGTH));
  words = replace(words, NAME, [recipient, `${unquoted}@${domain}`, encodeURIComponent(recipient)], '<>');
  words = replace(words, IN_BRACKETS, [localPart, unquoted], '<>');
  words = replace(words, NAME, [sender, encodeURIComponent(sender)], '<us>');
  words = replace(words, HOST, [domain], '<@>');
  words = replace(words, NAME, [heloName], '<host>');
  words = replace(words, HOST, [sender.slice(sender.lastIndexOf('@') + 1)], '<us>');
  // Without brackets, it may be a name or a word of the sentence.
  if (!SENTENCE_WORDS.has(unquoted.toLowerCase()) && !/[<>]/.test(unquoted))
    words = replace(words, NAME, [unquoted], isWord(unquoted) ? '_' : '<name>');
  return words;
}

/** `host` in "host not found" is hardly the name of the recipient, even if there is `host@`. */
function isWord(localPart: string): boolean {
  return conceptsOf(plain(localPart)).length > 0;
}

/** In lower case, without terminal escape sequences (ECMA-48 §5.4) and control characters, including the placeholder. */
function readable(text: string): string {
  const shown = text.includes('\u001b') ? text.replace(ESCAPE_SEQUENCE, '') : text;
  return shown.replace(CONTROL, ' ').toLowerCase();
}

/**
 * Removes addresses, links and host names: a word counts only as a word of the sentence, not as a part
 * of `mailbox.example.net`.
 *
 * @param words the result of `withoutNames`
 */
export function sentenceOf(words: string): string {
  return words
    .replace(/\bhttps?:\/\/\S+/g, ' ')
    .replace(/<?(?<![^\s<>@])[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?/g, '<other>')
    .replace(/\b(?!resolver\.)[a-z\d](?:[\w-]{0,61}\w)?(?:\.[a-z\d](?:[\w-]{0,61}\w)?){2,}\b/g, '<host>')
    .replace(/[[<(][a-z\d-]+(?:\.[a-z\d-]+)+[\])>]/g, '<host>');
}

/** Common words of sentences about mailboxes. They are not replaced as names, because the sentence would lose its meaning. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  wordsOf(
    'a an address addressee account alias available by does exist found full here in inbox invalid is local mail mailbox no not of over person quota recipient such that the this to unknown unrouteable user username was',
  ),
);

const ESCAPE_SEQUENCE = /\u001b\[[\d;]{0,16}[A-Za-z]/g;
const CONTROL = /\p{Cc}/gu;

/** Placeholder for the name, so that the patterns are constructed once and not for each reply. */
const MARK = '\0';
const NAME = /[<([{"'`]{0,4}(?<![\w.+\0-])\0(?![\w\0-])[>)\]}"'`]*/g;
const IN_BRACKETS = /[<([{"'`]\0[>)\]}"'`]/g;
const HOST = /[<([{"'`]{0,4}(?<![\w.@\0-])(?:[\w-]+\.)*\0(?![\w\0-])[>)\]}"'`]*/g;

/** Replaces names that are separate words, with the brackets around them. */
function replace(words: string, pattern: RegExp, names: readonly string[], by: string): string {
  let rest = words;
  for (const name of names.map((spelling) => spelling.toLowerCase())) {
    if (name === '' || !rest.includes(name)) continue;
    rest = rest
      .replaceAll(name, MARK)
      .replace(pattern, by)
      .replaceAll(MARK, () => name);
  }
  return rest;
}
