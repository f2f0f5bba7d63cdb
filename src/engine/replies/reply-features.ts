import { words as wordsOf, wordsWithKey } from '../address/words.js';
import { conceptsOf, phraseAt } from './reply-lexicon.js';
import { tokensOf } from './reply-tokens.js';

/** The parts of a reply that have weights. */
export interface ReplyInput {
  code: number;
  /** `class.subject.detail`; null: none after the basic code. */
  enhancedCode: string | null;
  /** The text with names replaced, by `withoutNames`. */
  words: string;
}

/** A concept and the number of tokens between it and the previous one; `.` ends a phrase. */
interface Concept {
  name: string;
  gap: number;
}

/** Maximum number of other tokens between two concepts of a sequence. */
const MAX_GAP = 4;

/** Concepts of a refusal without a reason. */
const NEUTRAL: ReadonlySet<string> = new Set(['refusal', 'recipient', 'address', 'see']);

/** Concepts that a negation inverts. */
const INVERTIBLE: ReadonlySet<string> = new Set(
  wordsOf('exist valid active accept allowed available local deliver full closed group table have'),
);

/** Groups of similar concepts. Features of sequences contain the group, so that they are learned together. */
const KIND_OF: ReadonlyMap<string, string> = new Map(
  wordsWithKey({
    who: 'mailbox recipient address #rcpt reach',
    us: 'sender client your #us #ip proof listed spam',
    lack: 'unknown !exist invalid !valid !table gone !local !have !group',
    shut: 'closed !active',
    room: 'full quota exceed',
    server: 'host fault dns domain #dom #host',
    no: 'no not such',
    refuse: 'reject !accept !allowed !deliver refusal',
  }),
);

/**
 * The features of a reply, each once: `code:550`, `enhanced:5.1.1`; a concept that occurs; two concepts in
 * sequence within a phrase (`mailbox unknown`); three in sequence; the first one (`^sender`); and `empty`
 * if the reply contains no reason.
 */
export function featuresOf({ code, enhancedCode, words }: ReplyInput): string[] {
  const features = new Set<string>();
  addCodes(code, enhancedCode, features);
  const concepts = conceptsIn(tokensOf(words));
  const named = concepts.filter(({ name }) => name !== '.');
  for (const { name } of named) features.add(name);
  if (named.every(({ name }) => /^[#=]/.test(name) || NEUTRAL.has(name))) features.add('empty');
  if (named[0] !== undefined) features.add(`^${named[0].name}`);
  addSequences(concepts, features);
  return [...features];
}

function addCodes(code: number, enhancedCode: string | null, features: Set<string>): void {
  features.add(`code:${code}`);
  if (enhancedCode === null) return void features.add('enhanced:none');
  const [, subject = '', detail = ''] = enhancedCode.split('.');
  features.add(`enhanced:${subject}`);
  features.add(`enhanced:${subject}.${detail}`);
}

function addSequences(concepts: readonly Concept[], features: Set<string>): void {
  for (let at = 0; at < concepts.length; at += 1) {
    const [one, two, three] = [concepts[at], concepts[at + 1], concepts[at + 2]];
    if (one === undefined || two === undefined || one.name === '.' || !follows(two)) continue;
    features.add(`${one.name} ${two.name}`);
    features.add(`~${kindOf(one)} ${kindOf(two)}`);
    if (three === undefined || !follows(three)) continue;
    features.add(`${one.name} _ ${three.name}`);
    features.add(`~${kindOf(one)} _ ${kindOf(three)}`);
    features.add(`~${kindOf(one)} ${kindOf(two)} ${kindOf(three)}`);
    features.add(`${one.name} ${two.name} ${three.name}`);
  }
}

function kindOf({ name }: Concept): string {
  return KIND_OF.get(name) ?? name;
}

function follows({ name, gap }: Concept): boolean {
  return name !== '.' && gap <= MAX_GAP;
}

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
        add({ name, gap }, sequence, isPart);
        gap = 0;
        isPart = true;
      }
    }
  }
  return sequence;
}

function readAt(tokens: readonly string[], at: number): { concepts: readonly string[]; length: number } {
  const token = tokens[at]!;
  if (token === '.' || token === ',' || token.startsWith('#') || token.startsWith('='))
    return { concepts: [token], length: 1 };
  const phrase = phraseAt(tokens, at);
  if (phrase !== null) return { concepts: [phrase.concept], length: phrase.length };
  return { concepts: conceptsOf(token), length: 1 };
}

/**
 * Joins a negation with its concept: "not found", "nicht gefunden" and "existiert nicht" are one concept.
 *
 * @param isPart the previous concept belongs to the same clause.
 */
function add(concept: Concept, sequence: Concept[], isPart: boolean): void {
  const last = sequence.at(-1);
  if (last === undefined) return void sequence.push(concept);
  if (isPart && last.name === 'not' && INVERTIBLE.has(concept.name) && concept.gap <= 3) {
    sequence[sequence.length - 1] = { name: `!${concept.name}`, gap: last.gap };
  } else if (isPart && concept.name === 'not' && last.name === 'exist' && concept.gap <= 1) {
    sequence[sequence.length - 1] = { name: '!exist', gap: last.gap };
  } else if (concept.name !== last.name) sequence.push(concept);
}
