import { words as wordsOf } from '../../kernel/text/words.js';
import { conceptsOf, isFunctionWord, phraseAt } from './reply-lexicon.js';
import { withoutForeignLack, type Concept } from './reply-things.js';
import { tokensOf } from './reply-tokens.js';

/** The concept of words that are not in the vocabulary. */
export const UNREAD = '?';

/** Concepts that a negation inverts. */
const INVERTIBLE: ReadonlySet<string> = new Set(
  wordsOf('exist valid active accept allowed available local deliver full closed group table have use serve'),
);

/** The concepts in order; a negated one has the prefix `!`. */
export function conceptsIn(tokens: readonly string[]): Concept[] {
  const sequence: Concept[] = [];
  let gap = 0;
  let isPart = false;
  for (let at = 0; at < tokens.length;) {
    const { concepts, length } = readAt(tokens, at);
    at += length;
    if (concepts.length === 0) gap += 1;
    for (const name of concepts) {
      if (name === 'filler') continue;
      if (name === ',') isPart = false;
      else {
        add({ name, gap, ...(!isPart && { startsClause: true }) }, sequence, isPart);
        gap = 0;
        isPart = true;
      }
    }
  }
  return withoutForeignLack(sequence);
}

function readAt(tokens: readonly string[], at: number): { concepts: readonly string[]; length: number } {
  const token = tokens[at]!;
  if (token === '.' || token === ',' || token.startsWith('#') || token.startsWith('='))
    return { concepts: [token], length: 1 };
  const phrase = phraseAt(tokens, at);
  if (phrase !== null) return { concepts: [phrase.concept], length: phrase.length };
  return { concepts: isUnread(token) ? [UNREAD] : conceptsOf(token), length: 1 };
}

/**
 * Joins a negation with its concept: "not found", "nicht gefunden" and "existiert nicht" are one concept.
 *
 * @param isPart the previous concept belongs to the same clause.
 */
function add(concept: Concept, sequence: Concept[], isPart: boolean): void {
  const last = sequence.at(-1);
  if (last === undefined) return void sequence.push(concept);
  if (isPart && inverts(last, concept) && concept.gap <= 3) {
    sequence[sequence.length - 1] = { ...last, name: `!${concept.name}` };
  } else if (isPart && concept.name === 'not' && last.name === 'exist' && concept.gap <= 1) {
    sequence[sequence.length - 1] = { ...last, name: '!exist' };
  } else if (concept.name !== last.name) sequence.push(concept);
}

function inverts(last: Concept, { name }: Concept): boolean {
  // A mailbox that cannot be used is a fault of the server.
  if (last.name === 'cannot' && name === 'use') return false;
  return isNegation(last) ? INVERTIBLE.has(name) : last.name === 'no' && INVERTIBLE_BY_NO.has(name);
}

function isNegation({ name }: Concept): boolean {
  return name === 'not' || name === 'cannot';
}

/** "no tiene" and "no valid user": Spanish has one word for "no" and "not". */
const INVERTIBLE_BY_NO: ReadonlySet<string> = new Set(wordsOf('have use active exist valid local serve'));
/** The words that are not in the vocabulary, each once. */
export function unreadWords(words: string): string[] {
  const tokens = tokensOf(words);
  const unread = new Set<string>();
  for (let at = 0; at < tokens.length;) {
    const { concepts, length } = readAt(tokens, at);
    if (concepts.length === 1 && concepts[0] === UNREAD) unread.add(tokens[at]!);
    at += length;
  }
  return [...unread];
}

function isUnread(word: string): boolean {
  return conceptsOf(word).length === 0 && !isFunctionWord(word);
}
