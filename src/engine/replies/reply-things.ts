import { words as wordsOf } from '../../kernel/text/words.js';

/** A concept and the number of tokens between it and the previous one; `.` ends a phrase. */
export interface Concept {
  name: string;
  gap: number;
  /** A comma or colon separates it from the previous one. */
  startsClause?: boolean;
}

/** Words for a mailbox and its user. */
const WHO: ReadonlySet<string> = new Set(wordsOf('mailbox recipient address #rcpt #name reach'));

export function isMailbox({ name }: Pick<Concept, 'name'>): boolean {
  return name === 'mailbox' || name === 'recipient' || name === 'address';
}

/** What a reply can call unknown, wrong or closed besides a mailbox, and the words that then are about it. */
const LACKS = wordsOf('unknown !exist invalid !valid gone');
const SHUTS = wordsOf('closed !active !use disuse');
const SHUT: ReadonlySet<string> = new Set(SHUTS);
const THINGS: Readonly<Record<string, ReadonlySet<string>>> = {
  syntax: new Set(wordsOf('unknown !exist')),
  state: new Set(wordsOf('unknown !exist')),
  fault: new Set(wordsOf('unknown !exist')),
  dns: new Set([...LACKS, ...SHUTS]),
  message: new Set([...LACKS, ...SHUTS]),
  proof: new Set([...LACKS, ...SHUTS]),
  relay: new Set([...LACKS, ...SHUTS]),
  client: new Set([...LACKS, ...SHUTS]),
  sender: new Set([...LACKS, ...SHUTS]),
  thing: new Set([...LACKS, ...SHUTS]),
  host: new Set(LACKS),
};
/** May stand between the two. */
const BETWEEN_THINGS: ReadonlySet<string> = new Set(wordsOf('have such here'));
/** Also between the two, where the thing is a property: "unknown recipient address format". */
const PROPERTIES: ReadonlySet<string> = new Set(wordsOf('syntax dns state'));
const OF_PROPERTIES: ReadonlySet<string> = new Set(
  wordsOf('mailbox recipient address mail sender domain host #rcpt #name #dom #addr have such here'),
);
const MAX_BETWEEN = 3;
/** More concepts than a reply has; bounds the work for any list. */
const MAX_BEFORE = 80;

/**
 * "unknown address format" is about the format, and "invalid DNS record" about the record: the word becomes
 * `!syntax`, `!dns`, which state nothing about the mailbox.
 */
export function withoutForeignLack(concepts: Concept[]): Concept[] {
  for (const [at, { name }] of concepts.entries()) {
    if (!Object.hasOwn(THINGS, name)) continue;
    for (const step of [-1, 1] as const) {
      const found = statementBeside(concepts, at, step);
      if (found !== null) concepts[found] = { ...concepts[found]!, name: `!${name}` };
    }
  }
  return concepts;
}

/** The place of the word that is about the thing at `at`, in the same clause; null: none is. */
function statementBeside(concepts: readonly Concept[], at: number, step: -1 | 1): number | null {
  const { name } = concepts[at]!;
  const between = PROPERTIES.has(name) ? OF_PROPERTIES : BETWEEN_THINGS;
  for (let n = 1; n <= MAX_BETWEEN + 1; n += 1) {
    const other = concepts[at + step * n];
    if (other === undefined || isApart(concepts, at + step * n, step)) return null;
    if (THINGS[name]!.has(other.name))
      return isOfMailbox(concepts, at + step * n, step) ? null : at + step * n;
    if (!between.has(other.name)) return null;
  }
  return null;
}

/** "message for unknown user", "the mailbox you tried does not exist in this system": the word belongs to the mailbox. */
function isOfMailbox(concepts: readonly Concept[], at: number, step: -1 | 1): boolean {
  if (step === 1) {
    const next = concepts[at + 1];
    return (
      next !== undefined &&
      !isApart(concepts, at + 1, 1) &&
      ADJECTIVES.has(concepts[at]!.name) &&
      isMailbox(next)
    );
  }
  const thing = concepts[at + 1]!.name;
  if (SHUT.has(concepts[at]!.name) && thing === 'message') return true;
  const first = Math.max(0, at - MAX_BEFORE);
  for (let before = at - 1; before >= first && !isApart(concepts, before, -1); before -= 1) {
    if (WHO.has(concepts[before]!.name)) return true;
    if (PROPERTIES.has(thing)) return false;
  }
  return false;
}

/** They may stand before their noun. */
const ADJECTIVES: ReadonlySet<string> = new Set(wordsOf('unknown invalid !valid'));

/** Whether a phrase or a clause ends between the concept and the one before it in this direction. */
function isApart(concepts: readonly Concept[], at: number, step: -1 | 1): boolean {
  return concepts[at]!.name === '.' || (concepts[step === 1 ? at : at + 1]?.startsClause ?? false);
}
