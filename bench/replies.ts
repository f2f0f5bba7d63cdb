import { readFileSync } from 'node:fs';
import type { SmtpCategory } from '../src/kernel/verdict.js';
import { readReply } from '../src/engine/replies/mailbox-reply.js';
import { WEIGHTS } from '../src/engine/replies/reply-weights.js';
import type { Weights } from '../src/engine/replies/reply-model.js';
import { foldsOf } from './replies/folds.js';
import {
  fixtureSamples,
  NAMES,
  readCorpus,
  replyOf,
  sentences,
  withCodes,
  type CorpusRow,
  type TruthClass,
} from './replies/samples.js';

/**
 * Measures the classification of replies by cross-validation: a corpus of labelled replies of real mail
 * servers, each classified with weights that were learned without its wording, with its own codes and
 * with other codes. Then the processor time per reply.
 *
 *     npm run ts bench/replies.ts                 cross-validation
 *     npm run ts bench/replies.ts other.jsonl     the weights of the engine with your own replies
 *
 * The vocabulary and the sentences were written with knowledge of these rows; cross-validation separates
 * only what is learned. bench/replies/README.md describes the format of `other.jsonl`.
 */
const FOLDS = 5;
const TRIALS = ['their own', '550', '550 5.1.1'] as const;
const CLASSES: readonly TruthClass[] = [
  'unknown_user',
  'disabled',
  'full',
  'policy_or_blocked',
  'temporary',
  'other',
];
const ABOUT_MAILBOX: ReadonlySet<TruthClass> = new Set(['unknown_user', 'disabled', 'full']);
const UNDELIVERABLE: ReadonlySet<SmtpCategory> = new Set([
  'mailbox_not_found',
  'mailbox_disabled',
  'null_mx',
  'smtputf8',
]);
const COLUMNS = ['undeliverable', 'full', 'unknown', 'deliverable'] as const;
type Column = (typeof COLUMNS)[number];

interface Read {
  row: CorpusRow;
  category: SmtpCategory;
  rule: string;
}

const readWith = (row: CorpusRow, text: string, weights: Weights): Read => ({
  row,
  ...readReply({ stage: 'rcpt', reply: replyOf(text), provider: row.provider_hint, ...NAMES }, weights),
});

function main(): void {
  const [file] = process.argv.slice(2);
  const rows = file === undefined ? readCorpus() : readCorpus(readFileSync(file, 'utf8'));
  const others = [...fixtureSamples(), ...sentences()];
  const folds =
    file === undefined
      ? [...foldsOf(rows, others, FOLDS)]
      : [{ rows: rows.filter(({ doubtful }) => !doubtful), weights: WEIGHTS }];
  for (const trial of TRIALS) {
    const read = folds.flatMap(({ rows: kept, weights }) =>
      kept.map((row) => readWith(row, trial === TRIALS[0] ? row.text : withCodes(row.text, trial), weights)),
    );
    report(trial, read);
  }
  console.log(`\n${microseconds(rows).toFixed(0)} µs of processor time per reply, ${WEIGHTS.size} weights`);
}

function report(trial: string, read: readonly Read[]): void {
  console.log(`\nCodes: ${trial}`);
  console.table(Object.fromEntries(CLASSES.map((name) => [name, lineOf(read.filter(isScored), name)])));
  const others = read.filter(({ row }) => !ABOUT_MAILBOX.has(row.truth_class));
  const falsePositives = others.filter(({ category }) => UNDELIVERABLE.has(category));
  console.log(
    `false undeliverable: ${falsePositives.length} of ${others.length}, ${share(falsePositives.length, others.length)}`,
  );
  for (const { row, rule } of falsePositives) console.log(`  ${rule}: ${row.text}`);
  if (trial !== TRIALS[0]) return;
  console.log('not recognized:');
  for (const reply of read.filter(isScored)) {
    if (ABOUT_MAILBOX.has(reply.row.truth_class) && columnOf(reply) === 'unknown') {
      console.log(`  ${reply.row.truth_class}, ${reply.rule}: ${reply.row.text.slice(0, 120)}`);
    }
  }
}

/** A 4xx code reports no permanent state of a mailbox. */
function isScored({ row }: Read): boolean {
  return row.code >= 500 || !ABOUT_MAILBOX.has(row.truth_class);
}

function lineOf(read: readonly Read[], name: TruthClass): Record<string, number | string> {
  const ofClass = read.filter(({ row }) => row.truth_class === name);
  const counts = COLUMNS.map((column) => [
    column,
    ofClass.filter((reply) => columnOf(reply) === column).length,
  ]);
  const line = Object.fromEntries(counts) as Record<Column, number>;
  const right = name === 'full' ? line.full : ABOUT_MAILBOX.has(name) ? line.undeliverable : line.unknown;
  return { ...line, right: share(right, ofClass.length) };
}

function columnOf({ category }: Read): Column {
  if (UNDELIVERABLE.has(category)) return 'undeliverable';
  if (category === 'mailbox_full') return 'full';
  return category === 'accepted' || category === 'rate_limited' ? 'deliverable' : 'unknown';
}

const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function microseconds(rows: readonly CorpusRow[]): number {
  const replies = rows.map((row) => ({ row, text: row.text }));
  const round = () => replies.forEach(({ row, text }) => readWith(row, text, WEIGHTS));
  for (let n = 0; n < 10; n += 1) round();
  const before = process.cpuUsage().user;
  for (let n = 0; n < 20; n += 1) round();
  return (process.cpuUsage().user - before) / (20 * replies.length);
}

main();
