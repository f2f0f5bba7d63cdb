import { domainToUnicode } from 'node:url';
import type { EmailAddress } from './email-address.js';
import { freeProvider } from '../providers/free-providers.js';

/**
 * Lower-case letters that look like an ASCII letter in most fonts: those whose prototype is a single
 * ASCII letter in Unicode's confusables.txt (UTS #39 §4; Latin, Greek, Cyrillic, Armenian, Cherokee,
 * Coptic), and after the bar those that browsers add. (Unicode maps Palochka to i, but it looks like l;
 * the later entry wins.)
 */
const CONFUSABLES: Readonly<Record<string, string>> = {
  a: 'ɑαа',
  b: '|вь',
  c: 'ᴄⲥсꮯ',
  d: 'ԁ|đɖɗ',
  e: 'ꬲеҽ',
  f: 'ꬵꞙẝք',
  g: 'ɡᶃƍց',
  h: 'һհ|ħн',
  i: 'ıɪɩιіꙇӏꭵ',
  j: 'ϳј',
  k: '|ĸκк',
  l: '|ӏłǀ',
  m: '|м',
  n: 'ոռ|ηп',
  o: 'ᴏᴑꬽοσⲟоօ|ø',
  p: 'ρⲣр',
  q: 'ԛգզ',
  r: 'ꭇꭈᴦⲅгꮁ',
  s: 'ꜱƽѕꮪ',
  t: '|τт',
  u: 'ꞟᴜꭎꭒʋυս',
  v: 'ᴠνѵꮩ',
  w: 'ɯᴡѡԝաꮃ|ω',
  x: 'х|χ',
  y: 'ɣᶌʏỿꭚγуү',
  z: 'ᴢꮓ',
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLES).flatMap(([ascii, letters]) =>
    [...letters.replace('|', '')].map((letter): [string, string] => [letter, ascii]),
  ),
);
const UNICODE_CONFUSABLES: ReadonlySet<string> = new Set(
  Object.values(CONFUSABLES).flatMap((letters) => [...letters.replace(/\|.*/, '')]),
);

/**
 * Scripts with many similar letters. A word that mixes two of them is suspicious; a word that mixes
 * Latin with any other script is not (UTS #39 §5.2, "moderately restrictive").
 */
const CONFUSABLE_SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** A generic top-level domain: under a country's own, a name in its script is normal. */
const GENERIC_ENDING = /\.[a-z]{3,}$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NON_ASCII = /[^\x00-\x7F]/;

/**
 * Compatibility forms of ASCII letters and digits that no keyboard types: Roman numerals, ligatures,
 * full-width and mathematical letters. In a domain UTS #46 has already mapped them.
 */
const COMPATIBILITY_FORMS = /[\u2160-\u217F\uFB00-\uFB06\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/**
 * Whether the address is visually confusable with another: a word mixes similar scripts, the local part
 * has compatibility forms of ASCII, the domain looks like a well-known mailbox provider's, or a whole
 * label of it looks like an ASCII one.
 */
export function isLookAlike(address: EmailAddress): boolean {
  const { localPart, domain } = address;
  const unicode = inUnicode(domain);
  if (!NON_ASCII.test(localPart) && !NON_ASCII.test(unicode)) return false;
  return (
    COMPATIBILITY_FORMS.test(localPart) ||
    mixesScripts(localPart) ||
    mixesScripts(unicode) ||
    confusableProvider(domain) !== null ||
    (GENERIC_ENDING.test(domain) && unicode.split('.').some(isWholeScriptConfusable))
  );
}

/**
 * The well-known provider's domain that this domain looks like, or null.
 *
 * @param domain A-label, lower case, no final dot
 */
export function confusableProvider(domain: string): string | null {
  const unicode = inUnicode(domain);
  return NON_ASCII.test(unicode) ? freeProvider(asciiSkeleton(unicode)) : null;
}

/** The U-label form of the name. */
function inUnicode(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) : domain;
}

function mixesScripts(text: string): boolean {
  if (!NON_ASCII.test(text)) return false;
  return (text.match(WORD) ?? []).some(
    (word) => CONFUSABLE_SCRIPTS.filter((script) => script.test(word)).length > 1,
  );
}

/** Every letter is non-ASCII and looks like an ASCII letter (UTS #39 §4, whole-script confusables). */
function isWholeScriptConfusable(label: string): boolean {
  const letters = label.match(/\p{L}/gu) ?? [];
  return letters.length > 1 && letters.every((letter) => UNICODE_CONFUSABLES.has(letter));
}

/** Without accents, and with the ASCII letter for each confusable letter. */
function asciiSkeleton(text: string): string {
  const withoutAccents = text.normalize('NFD').replace(/\p{M}+/gu, '');
  return [...withoutAccents].map((letter) => ASCII_OF.get(letter) ?? letter).join('');
}
