import type { Status } from '../../src/kernel/verdict.js';
import type { PeerCase } from './peer-case.js';

/** What a verifier said of one address, in the four statuses; null: nothing within the time, or it crashed. */
export interface PeerAnswer {
  id: string;
  status: Status | null;
  /** Its own words. */
  said: string;
}

export interface PeerRun {
  name: string;
  version: string;
  answers: readonly PeerAnswer[];
  /** Connections to addresses that may not be dialled. */
  forbidden: number;
  seconds: number;
}

export type Judgement = 'acceptable' | 'falsely undeliverable' | 'falsely deliverable' | 'without an answer';

/** `risky` and `unknown` where the case has an answer are none. */
export function judgementOf({ acceptable }: PeerCase, status: Status | null): Judgement {
  if (status !== null && acceptable.includes(status)) return 'acceptable';
  if (status === 'undeliverable' || status === 'deliverable') return `falsely ${status}`;
  return 'without an answer';
}

const JUDGEMENTS: readonly Judgement[] = [
  'acceptable',
  'falsely undeliverable',
  'falsely deliverable',
  'without an answer',
];

/** The result as Markdown: a row for each verifier. */
export function resultTable(cases: readonly PeerCase[], runs: readonly PeerRun[]): string {
  const rows = runs.map((run) => {
    const judged = judge(cases, run);
    const counts = JUDGEMENTS.map((judgement) => judged.filter((one) => one.judgement === judgement).length);
    return [`${run.name} ${run.version}`, ...counts, run.forbidden, Math.round(run.seconds)];
  });
  return markdown(['verifier', ...JUDGEMENTS, 'forbidden connections', 'seconds'], rows);
}

/** The acceptable verdicts by kind of case as Markdown: a column for each verifier. */
export function kindTable(cases: readonly PeerCase[], runs: readonly PeerRun[]): string {
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const ofKind = cases.filter((one) => one.kind === kind);
    const counts = runs.map(
      (run) => judge(ofKind, run).filter(({ judgement }) => judgement === 'acceptable').length,
    );
    return [kind, ofKind.length, ...counts];
  });
  return markdown(['kind', 'cases', ...runs.map(({ name }) => name)], rows);
}

/** A line for each verdict that is not acceptable. */
export function misses(cases: readonly PeerCase[], run: PeerRun): string[] {
  return judge(cases, run)
    .filter(({ judgement }) => judgement !== 'acceptable')
    .map(({ one, judgement, answer }) => `${run.name}: ${judgement}: ${one.kind} ${one.id} (${answer.said})`);
}

const NO_ANSWER = { status: null, said: 'not asked' };

function judge(cases: readonly PeerCase[], { answers }: PeerRun) {
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return cases.map((one) => {
    const answer = byId.get(one.id) ?? NO_ANSWER;
    return { one, answer, judgement: judgementOf(one, answer.status) };
  });
}

function markdown(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, n) => (n === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
