import { describe, expect, it } from '@jest/globals';
import { contest } from '../../../bench/peers/contest.js';
import type { PeerCase } from '../../../bench/peers/peer-case.js';
import { judgementOf, kindTable, misses, resultTable, type PeerRun } from '../../../bench/peers/score.js';
import type { Status } from '../../../src/kernel/verdict.js';

const aCase = (id: string, ...acceptable: Status[]): PeerCase => ({
  id,
  kind: id.split('-')[0] ?? '',
  address: `${id}@example.net`,
  world: {},
  acceptable,
  why: 'A reason',
  source: 'RFC 5321 §4.1.2',
});

/** A verifier that crashes at `crash`, does not answer `silence`, and answers all others in its own order. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, email } = JSON.parse(line);
    if (id.startsWith('crash')) process.exit(1);
    if (!id.startsWith('silence')) console.log(JSON.stringify({ id, status: 'deliverable', said: email }));
  });`;
const CONTESTANT = { name: 'one', version: '1.0', command: [process.execPath, '-e', PROGRAM] };
const anHour = () => Date.now() + 3_600_000;

describe('a verifier in the benchmark', () => {
  it('is asked for every case, also after a crash, and those beside the crash are not lost', async () => {
    const cases = ['a', 'b', 'crash', 'c', 'd'].map((id) => aCase(id, 'deliverable'));
    const limits = { sideBySide: 3, caseMs: 60_000, endsAt: anHour() };
    const answers = await contest(CONTESTANT, cases, limits);
    expect(answers.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      ...['a', 'b', 'c'].map((id) => ({ id, status: 'deliverable', said: `${id}@example.net` })),
      { id: 'crash', status: null, said: 'crashed' },
      { id: 'd', status: 'deliverable', said: 'd@example.net' },
    ]);
  });

  it('has no answer where it gives none in time, and is asked for nothing after the end of the run', async () => {
    const silent = { sideBySide: 1, caseMs: 1, endsAt: anHour() };
    expect(await contest(CONTESTANT, [aCase('silence')], silent)).toEqual([
      { id: 'silence', status: null, said: 'timeout' },
    ]);
    const over = { sideBySide: 1, caseMs: 60_000, endsAt: Date.now() - 1 };
    expect(await contest(CONTESTANT, [aCase('a')], over)).toEqual([
      { id: 'a', status: null, said: 'not asked: the time of the run is over' },
    ]);
  });
});

describe('the score of the benchmark', () => {
  it('calls a verdict false only if it says something else than the case allows', () => {
    const open = aCase('open', 'unknown', 'risky');
    const known = aCase('known', 'deliverable');
    const judged = [open, known].map((one) =>
      (['deliverable', 'undeliverable', 'risky', 'unknown', null] as const).map((status) =>
        judgementOf(one, status),
      ),
    );
    expect(judged).toEqual([
      ['falsely deliverable', 'falsely undeliverable', 'acceptable', 'acceptable', 'without an answer'],
      ['acceptable', 'falsely undeliverable', 'without an answer', 'without an answer', 'without an answer'],
    ]);
  });

  it('counts each case once for each verifier, those without an answer too', () => {
    const cases = [
      aCase('syntax-a', 'undeliverable'),
      aCase('syntax-b', 'deliverable'),
      aCase('mx-c', 'unknown'),
    ];
    const run: PeerRun = {
      name: 'one',
      version: '1.0',
      answers: [
        { id: 'syntax-a', status: 'undeliverable', said: 'invalid' },
        { id: 'syntax-b', status: 'undeliverable', said: 'invalid' },
      ],
      forbidden: 2,
      seconds: 12.4,
    };
    expect(resultTable(cases, [run]).split('\n').at(-1)).toBe('| one 1.0 | 1 | 1 | 0 | 1 | 2 | 12 |');
    expect(kindTable(cases, [run]).split('\n').slice(2)).toEqual(['| syntax | 2 | 1 |', '| mx | 1 | 0 |']);
    expect(misses(cases, run)).toEqual([
      'one: falsely undeliverable: syntax syntax-b (invalid)',
      'one: without an answer: mx mx-c (not asked)',
    ]);
  });
});
