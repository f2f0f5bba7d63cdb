import { words as wordsOf } from '../../kernel/text/words.js';
import { BLOCKLISTS } from './blocklists.js';

/**
 * The tokens of a reply, in lower case and without accents. A token is a word, the end of a sentence
 * (`.`) or of a clause (`,`), or a placeholder: `#rcpt` the address of the recipient, `#name` its local
 * part, `#dom` its domain, `#us` our sender and host, `#addr` another address, `#ip`, `#url`, `#host`,
 * and `=5.1.1` an enhanced code within the text.
 */

/** Further tokens are ignored. */
export const MAX_TOKENS = 80;

const SIGNS: Readonly<Record<string, string>> = {
  '<>': '#rcpt',
  '<@>': '#dom',
  '<us>': '#us',
  '<host>': '#us',
  '<other>': '#addr',
  '<name>': '#name',
};
const SIGN_TOKENS: ReadonlySet<string> = new Set(Object.values(SIGNS));
/** "Hi [192.0.2.1], …": who is greeted is not what the sentence is about. */
const GREETING = /^\s?(?:hi|hello|hey|dear|greetings)\b[^,!|]{0,120}[,!]/;
/** What a program tells about the delivery before it quotes the reply of another server. */
const NARRATION =
  /^.{0,900}\b(?:error that the other server returned|(?:response|reply|error|message)(?: (?:received )?from the (?:remote|other|receiving|destination) (?:mail )?server)) (?:was|is)\s?:/s;
const SIGN = /<(?:@|us|host|other|name)?>/g;

/** Letters that have no decomposition. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '`': "'",
};

const ASCII = /^[\0-\x7f]*$/;

/** Lower case without accents, in NFKC: NFKD would divide the syllables of Korean. */
export function plain(text: string): string {
  if (ASCII.test(text)) return text.replaceAll('`', "'").toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łßøđðþıæœ’`]/g, (letter) => PLAIN[letter] ?? letter);
}

/** @param words a reply in which names were replaced, by `withoutNames` */
export function tokensOf(words: string): string[] {
  const tokens: string[] = [];
  const chunks = words
    .replace(NARRATION, '')
    .replace(GREETING, '')
    .replace(SIGN, (sign) => ` ${SIGNS[sign]} `)
    .split(/[\s|]+/);
  for (const chunk of chunks) {
    if (tokens.length >= MAX_TOKENS) break;
    if (chunk !== '') addChunk(chunk, tokens);
  }
  return tokens.slice(0, MAX_TOKENS);
}

function addChunk(chunk: string, tokens: string[]): void {
  if (chunk.startsWith('#') && SIGN_TOKENS.has(chunk)) return void tokens.push(chunk);
  if (chunk.includes('://') || /^\W?www\./.test(chunk)) return addLink(chunk, tokens);
  if (chunk.includes('@')) return void tokens.push('#addr');
  const core = trimmed(chunk);
  if (!chunk.includes('.') || !addDotted(core, tokens)) addWords(chunk, tokens);
  const end = /[.;!?:,][)"'\]]?$/.exec(chunk)?.[0].charAt(0);
  if (end !== undefined) tokens.push(end === ':' || end === ',' ? ',' : '.');
}

/** Adds an IP address, an enhanced code or a host name. */
function addDotted(core: string, tokens: string[]): boolean {
  if (/^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/.test(core)) tokens.push('#ip');
  else if (/^#?[245]\.\d\.\d{1,3}$/.test(core)) tokens.push(`=${core.replace('#', '')}`);
  else if (isHost(core)) addHost(core, tokens);
  else return false;
  return true;
}

/** Without the punctuation around it. */
function trimmed(chunk: string): string {
  let start = 0;
  let end = chunk.length;
  while (start < end && '<([{"\'*:-'.includes(chunk.charAt(start))) start += 1;
  while (end > start && '>)]}"\'*:;,.!?-'.includes(chunk.charAt(end - 1))) end -= 1;
  return chunk.slice(start, end);
}

/** At least two labels, the last of letters. Excludes words that are joined by a full stop, as in `recipient.Address`. */
function isHost(core: string): boolean {
  return (
    core.length < 254 &&
    /^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.[a-z]{2,24}(?:\[[\da-f.:]+\])?$/.test(core) &&
    !core.startsWith('resolver.')
  );
}

/** A host name is not a word of the sentence, but the labels of some blocklists are significant. */
function addHost(core: string, tokens: string[]): void {
  tokens.push('#host');
  for (const label of core.split(/[.[\]]/)) if (SIGNIFICANT_LABELS.has(label)) tokens.push(label);
}

function addLink(link: string, tokens: string[]): void {
  tokens.push('#url');
  for (const label of link.split(/[^a-z\d]+/)) if (SIGNIFICANT_LABELS.has(label)) tokens.push(label);
}

/** Parts of links and host names with a meaning: DNS lists, and the help pages of a provider. */
const SIGNIFICANT_LABELS: ReadonlySet<string> = new Set([
  ...BLOCKLISTS,
  ...wordsOf(
    'proofpoint rbl dnsbl blacklist blocklist ipcheck spam antispam nosuchuser 6596 overquotaperm overquotatemp disableduser receivingrate receivingrateperm unsolicitedratelimiterror notauthorizederror ipauth 188131 blockedmessage',
  ),
]);

function addWords(chunk: string, tokens: string[]): void {
  const text = plain(chunk);
  for (const word of text.match(ASCII.test(text) ? ASCII_WORD : WORD) ?? []) {
    // Numbers, and ids of letters and digits, have no meaning.
    if (/\d/.test(word) && !/^[a-z]+\d{0,2}$/.test(word)) continue;
    // French and Italian elision: "n'existe", "l'utente".
    const elided = /^[a-z]{1,2}(?=')/.exec(word)?.[0];
    if (elided === undefined) tokens.push(word.slice(0, MAX_WORD_LENGTH));
    else tokens.push(elided, word.slice(elided.length + 1, MAX_WORD_LENGTH));
  }
}

const MAX_WORD_LENGTH = 40;
const ASCII_WORD = /[a-z\d]+(?:'[a-z\d]+)*/g;
const WORD = /[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu;
