import { domainToUnicode } from 'node:url';
import type { EmailAddress } from './email-address.js';
import { freeProvider } from './free-providers.js';

/**
 * Lower-case letters that most fonts draw like an ASCII one: those whose prototype is a single
 * ASCII letter in Unicode's confusables.txt (UTS #39 §4; Latin, Greek, Cyrillic, Armenian,
 * Cherokee, Coptic), and after the bar those that browsers hold to be alike on top of it.
 * (Palochka is an i to Unicode and an l to the eye; the later entry holds.)
 */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
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

const ENTRIES = Object.entries(DRAWN_LIKE).flatMap(([ascii, all]) => {
  const [proven = '', claimed = ''] = all.split('|');
  return [...proven, ...claimed].map((letter) => ({ ascii, letter, proven: proven.includes(letter) }));
});
const ASCII_OF: ReadonlyMap<string, string> = new Map(ENTRIES.map(({ letter, ascii }) => [letter, ascii]));
const PROVEN: ReadonlySet<string> = new Set(
  ENTRIES.filter(({ proven }) => proven).map(({ letter }) => letter),
);

/**
 * Scripts that share the shapes of many letters. A word of two of them is hardly ever meant; words
 * of Latin with any other script are (UTS #39 §5.2, "moderately restrictive").
 */
const SCRIPTS_ALIKE: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** A generic top-level domain: under a country's own, a name in its script is nothing to wonder at. */
const GENERIC_ENDING = /\.[a-z]{3,}$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NON_ASCII = /[^\x00-\x7F]/;

/**
 * ASCII letters and digits in another dress, which no keyboard types: Roman numerals, ligatures,
 * full-width and mathematical letters. In a domain the mapping of UTS #46 has undressed them.
 */
const DRESSED = /[\u2160-\u217F\uFB00-\uFB06\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/**
 * Whether the address can be taken for another one by its looks: a word mixes scripts that share
 * letters, the local part has ASCII in another dress, the domain is drawn like a well-known mailbox
 * provider's, or a whole label of it like an ASCII one. Which was meant is not for us to say.
 */
export function isLookAlike(address: EmailAddress): boolean {
  const { localPart, domain } = address;
  const unicode = inUnicode(domain);
  return (
    DRESSED.test(localPart) ||
    mixesScripts(localPart) ||
    mixesScripts(unicode) ||
    providerDrawnLike(domain) !== null ||
    (GENERIC_ENDING.test(domain) && unicode.split('.').some(isDisguised))
  );
}

/**
 * The well-known provider's domain that this one is drawn like without being it, or null.
 *
 * @param domain A-label, lower case, no final dot
 */
export function providerDrawnLike(domain: string): string | null {
  const unicode = inUnicode(domain);
  return NON_ASCII.test(unicode) ? freeProvider(drawnInAscii(unicode)) : null;
}

/** A name without an A-label is itself. */
function inUnicode(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) : domain;
}

function mixesScripts(text: string): boolean {
  if (!NON_ASCII.test(text)) return false;
  return (text.match(WORD) ?? []).some(
    (word) => SCRIPTS_ALIKE.filter((script) => script.test(word)).length > 1,
  );
}

/** Not one ASCII letter, and not one that is not drawn like one (UTS #39 §4, whole-script confusables). */
function isDisguised(label: string): boolean {
  const letters = label.match(/\p{L}/gu) ?? [];
  return letters.length > 1 && letters.every((letter) => PROVEN.has(letter));
}

/** Without accents, and with the ASCII letter for each that is drawn like one. */
function drawnInAscii(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{M}+/gu, '');
  return [...bare].map((letter) => ASCII_OF.get(letter) ?? letter).join('');
}
