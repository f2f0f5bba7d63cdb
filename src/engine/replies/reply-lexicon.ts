import { Memo } from '../../kernel/concurrency/memo.js';
import { words } from '../../kernel/text/words.js';
import { plain } from './reply-tokens.js';
import { EXPRESSIONS_OF } from './reply-expressions.js';
import { FUNCTION_WORDS, FURTHER_WORDS_OF } from './reply-languages.js';
import { UNSPACED, WORDS_OF } from './reply-vocabulary.js';

/** The meaning of a word in a reply; `reply-vocabulary.ts` lists all concepts. */
type Concept = string;

/** The words of the main table, whose misspellings and compounds are understood too. */
const WORDS = new Map<string, Concept>();
const FURTHER_WORDS = new Map<string, Concept>();
const PREFIXES = new Map<string, [prefix: string, concept: Concept][]>();
/** First word → the phrases that begin with it, the longest first. */
const PHRASES = new Map<string, { rest: string[]; concept: Concept }[]>();
const MIN_PREFIX_LENGTH = 3;

addTable(WORDS_OF, WORDS);
addTable(EXPRESSIONS_OF, FURTHER_WORDS);
addTable(FURTHER_WORDS_OF, FURTHER_WORDS);
for (const list of PHRASES.values()) list.sort((a, b) => b.rest.length - a.rest.length);

function addTable(table: Readonly<Record<Concept, string>>, exact: Map<string, Concept>): void {
  for (const [concept, entries] of Object.entries(table)) {
    for (const entry of words(plain(entries))) add(entry, concept, exact);
  }
}

function add(entry: string, concept: Concept, exact: Map<string, Concept>): void {
  if (entry.includes('_')) {
    const [first = '', ...rest] = entry.split('_');
    PHRASES.set(first, [...(PHRASES.get(first) ?? []), { rest, concept }]);
  } else if (entry.endsWith('*')) {
    const prefix = entry.slice(0, -1);
    const key = prefix.slice(0, MIN_PREFIX_LENGTH);
    PREFIXES.set(key, [...(PREFIXES.get(key) ?? []), [prefix, concept]]);
  } else if (!exact.has(entry)) exact.set(entry, concept);
}

/** Word with one letter removed → its concept: a word and its misspelling have such a form in common. */
const TYPOS = new Map<string, Concept>();
const MIN_TYPO_LENGTH = 6;
for (const [word, concept] of WORDS) {
  if (word.length < MIN_TYPO_LENGTH || !/^[a-z]+$/.test(word)) continue;
  for (const form of [word, ...oneLeftOut(word)]) if (!TYPOS.has(form)) TYPOS.set(form, concept);
}

/** The concept of the phrase that starts at a token, and its number of tokens. */
export function phraseAt(tokens: readonly string[], at: number): { concept: Concept; length: number } | null {
  const found = PHRASES.get(tokens[at] ?? '')?.find(({ rest }) =>
    rest.every((word, n) => tokens[at + 1 + n] === word),
  );
  return found === undefined ? null : { concept: found.concept, length: found.rest.length + 1 };
}

/** Servers use the same few thousand words. */
const CONCEPTS = new Memo<readonly Concept[]>(5_000);

/** The concepts of a word: usually one or none; several for a compound or a text without spaces. */
export function conceptsOf(word: string): readonly Concept[] {
  return CONCEPTS.get(word, () => lookUp(word));
}

function lookUp(word: string): readonly Concept[] {
  const known = conceptOf(word);
  if (known !== null) return [known];
  if (word.endsWith("n't")) return ['not'];
  if (UNSPACED_SCRIPT.test(word)) return unspaced(word);
  const typo = typoOf(word);
  if (typo !== null) return [typo];
  return partsOf(word);
}

function conceptOf(word: string): Concept | null {
  return WORDS.get(word) ?? FURTHER_WORDS.get(word) ?? prefixOf(word) ?? singularOf(word);
}

function prefixOf(word: string): Concept | null {
  let best: [string, Concept] | null = null;
  for (const entry of PREFIXES.get(word.slice(0, MIN_PREFIX_LENGTH)) ?? []) {
    if (word.startsWith(entry[0]) && entry[0].length > (best?.[0].length ?? 0)) best = entry;
  }
  return best?.[1] ?? null;
}

/** `recipients`, `user's`. */
function singularOf(word: string): Concept | null {
  const stem = word.endsWith("'s") ? word.slice(0, -2) : word.endsWith('s') ? word.slice(0, -1) : '';
  return WORDS.get(stem) ?? null;
}

/** A typo: one letter missing, added or replaced, or two adjacent letters swapped. */
function typoOf(word: string): Concept | null {
  if (word.length < MIN_TYPO_LENGTH || word.length > 20) return null;
  const exact = TYPOS.get(word);
  if (exact !== undefined) return exact;
  for (const form of oneLeftOut(word)) {
    const concept = TYPOS.get(form);
    if (concept !== undefined) return concept;
  }
  return null;
}

function oneLeftOut(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, n) => word.slice(0, n + 1) + word.slice(n + 2));
}

/** Splits compounds such as `recipientnotfound` or `Empfängeradresse` into at most four known words. */
function partsOf(word: string): readonly Concept[] {
  if (word.length < 8 || word.length > 32) return [];
  const parts: Concept[] = [];
  let rest = word;
  while (rest !== '' && parts.length < 4) {
    const length = longestKnown(rest);
    if (length === 0) return [];
    parts.push(WORDS.get(rest.slice(0, length))!);
    rest = rest.slice(length);
  }
  return rest === '' ? parts : [];
}

function longestKnown(word: string): number {
  for (let length = Math.min(word.length, 16); length >= 3; length -= 1) {
    const left = word.length - length;
    if ((left === 0 || left >= 3) && WORDS.has(word.slice(0, length))) return length;
  }
  return 0;
}

const MAX_TEXT_LENGTH = 60;
/** Thai, Japanese, Chinese, Korean. */
const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Scripts without spaces between words: phrases are searched from left to right. */
function unspaced(text: string): Concept[] {
  const found: Concept[] = [];
  for (let at = 0; at < Math.min(text.length, MAX_TEXT_LENGTH);) {
    const known = UNSPACED_PHRASES.find(([phrase]) => text.startsWith(phrase, at));
    if (known === undefined) at += 1;
    else {
      found.push(known[1]);
      at += known[0].length;
    }
  }
  return found;
}

const UNSPACED_PHRASES: readonly (readonly [string, Concept])[] = Object.entries(UNSPACED)
  .flatMap(([concept, entries]) => words(plain(entries)).map((word) => [word, concept] as const))
  .sort(([a], [b]) => b.length - a.length);

const WORDS_WITHOUT_MEANING: ReadonlySet<string> = new Set(words(plain(FUNCTION_WORDS)));

/** Whether a word is part of the grammar of a sentence, or too short to state something. */
export function isFunctionWord(word: string): boolean {
  return word.length < 2 || WORDS_WITHOUT_MEANING.has(word);
}
