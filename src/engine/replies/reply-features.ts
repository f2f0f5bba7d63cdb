import { words as wordsOf, wordsWithKey } from '../../kernel/text/words.js';
import { conceptsIn, UNREAD } from './reply-concepts.js';
import { isMailbox, type Concept } from './reply-things.js';
import { tokensOf } from './reply-tokens.js';

/** The parts of a reply that have weights. */
export interface ReplyInput {
  code: number;
  /** `class.subject.detail`; null: none after the basic code. */
  enhancedCode: string | null;
  /** The text with names replaced, by `withoutNames`. */
  words: string;
}

/** Maximum number of other tokens between two concepts of a sequence. */
const MAX_GAP = 4;

/** Concepts of a refusal without a reason. */
const NEUTRAL: ReadonlySet<string> = new Set(['refusal', 'recipient', 'address', 'see']);

/** Further concepts of a refusal that says only that it is one: "address error". */
const PLAIN: ReadonlySet<string> = new Set(wordsOf('mail message mailbox fault verify'));

/** Concepts that can state something about a mailbox. */
const STATEMENTS: ReadonlySet<string> = new Set(
  wordsOf(
    `unknown exist !exist invalid valid !valid table !table !local !have !group gone closed !active active full quota exceed
    !use disuse !serve nomore unavailable !available available !accept accept nomail limit reject`,
  ),
);
/** What "no" and "not" deny: "no such address", "not a user". */
const DENIED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  no: new Set(wordsOf('mailbox recipient address group #rcpt #name such here serve')),
  nobody: new Set(wordsOf('mailbox address #rcpt #name such here')),
  not: new Set(wordsOf('mailbox recipient #rcpt #name')),
};
/** Maximum number of function words between them: "no one at this address". */
const MAX_DENIAL_GAP = 3;
/** May stand between a negation and what it denies. */
const BETWEEN: ReadonlySet<string> = new Set(wordsOf('our here such local host mail'));

/** Groups of similar concepts. Features of sequences contain the group, so that they are learned together. */
const KIND_OF: ReadonlyMap<string, string> = new Map(
  wordsWithKey({
    who: 'mailbox recipient address #rcpt #name reach',
    us: 'sender client your #us #ip proof listed spam',
    lack: 'unknown !exist invalid !valid !table gone !local !have !group !serve',
    shut: 'closed !active !use disuse',
    room: 'full quota exceed nomore',
    letter: 'mail message',
    form: 'syntax state thing',
    other: '!syntax !dns !state !fault !host !message !proof !relay !client !sender !thing',
    server: 'host fault dns domain #dom #host',
    no: 'no not such nobody',
    refuse: 'reject !accept !allowed !deliver refusal',
  }),
);

/**
 * The features of a reply, each once: `code:550`, `enhanced:5.1.1`; a concept that occurs; two concepts in
 * sequence within a phrase (`mailbox unknown`); three in sequence; the first one (`^sender`). `?` is a word
 * that is not in the vocabulary. A reply without a reason is `empty`, `plain` if it names a fault of an
 * address, and `unread` if it has other words; `vague` is one that states nothing about a mailbox.
 */
export function featuresOf({ code, enhancedCode, words }: ReplyInput): string[] {
  const features = new Set<string>();
  addCodes(code, enhancedCode, features);
  const concepts = conceptsIn(tokensOf(words));
  const named = concepts.filter(({ name }) => name !== '.');
  for (const { name } of named) features.add(name);
  addStatement(named, features);
  if (named[0] !== undefined) features.add(`^${named[0].name}`);
  addSequences(concepts, features);
  return [...features];
}

function addStatement(named: readonly Concept[], features: Set<string>): void {
  const words = named.filter(({ name }) => !/^[#=]/.test(name) && !NEUTRAL.has(name));
  if (words.length === 0) features.add('empty');
  else if (words.every(({ name }) => name === UNREAD)) features.add('unread');
  else if (words.every(({ name }) => PLAIN.has(name)) && named.some(isMailbox)) features.add('plain');
  if (!named.some((_, at) => isStatement(named, at))) features.add('vague');
}

function isStatement(named: readonly Concept[], at: number): boolean {
  const name = named[at]!.name;
  if (STATEMENTS.has(name) || isDenial(named, at)) return true;
  const [next, other] = [named[at + 1]?.name, named[at + 2]?.name];
  // "too many messages in the mailbox", "nobody at this address", "at this address is nobody"
  if (name === 'rate') return (next === 'message' || next === 'mail') && other === 'mailbox';
  if (name === 'disabling')
    return isMailbox(named[at + 1] ?? { name: '' }) || isMailbox(named[at + 2] ?? { name: '' });
  // Russian puts "no" last: "there is no such user"
  if (name === 'no' && named[at - 2]?.name === 'such' && isMailbox(named[at - 1]!)) return true;
  if (name === 'nobody') return next === 'have' || named[at - 1]?.name === 'address';
  // "that user is not here"
  return name === 'not' && next === 'here' && named.slice(0, at).some(isMailbox);
}

/** "no such user", "not a user", but not "not to this address". */
function isDenial(named: readonly Concept[], at: number): boolean {
  const denied = DENIED_BY[named[at]!.name];
  const [next, other] = [named[at + 1], named[at + 2]];
  if (denied === undefined || next === undefined || next.gap > MAX_DENIAL_GAP) return false;
  return denied.has(next.name) || (BETWEEN.has(next.name) && other !== undefined && denied.has(other.name));
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
    // "no match found" says nothing of a mailbox: what a negation denies may be the word that is not known.
    if (two.name !== UNREAD || kindOf(one) !== 'no') {
      features.add(`${one.name} _ ${three.name}`);
      features.add(`~${kindOf(one)} _ ${kindOf(three)}`);
    }
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
