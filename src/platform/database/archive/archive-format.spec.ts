import { describe, expect, it } from '@jest/globals';
import { archiveOf, fileOf } from '../../../../test/support/archives/archive-files.js';
import {
  end,
  MANIFEST,
  manifest,
  refusalOf,
  Source,
  teams,
} from '../../../../test/support/archives/small-archive.js';

describe('an archive', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a number', 5],
    ['nothing', {}],
    ...Object.entries({
      'no tables': { tables: undefined },
      'tables that are no list': { tables: { length: 1 } },
      'a table that is null': { tables: [null] },
      'columns that are numbers': { tables: [{ name: 'teams', columns: [5] }] },
      'no columns': { tables: [{ name: 'teams', columns: [] }] },
      'a column twice': { tables: [{ name: 'teams', columns: ['id', 'id'] }] },
      'a table twice': { tables: [MANIFEST.tables[0], MANIFEST.tables[0]] },
      'a table with a schema': { tables: [{ name: 'public.teams', columns: ['id'] }] },
      'a table in another folder': { tables: [{ name: '../teams', columns: ['id'] }] },
      'a quoted table': { tables: [{ name: 'teams" (id) FROM PROGRAM', columns: ['id'] }] },
      'no migrations': { migrations: [], revision: undefined },
      'migrations that are numbers': { migrations: [1], revision: 1 },
      'another revision': { revision: 'Teams1764000000000' },
      'a version with control characters': { rcpt: '\u001b[2J' },
      'another time': { created_at: 'yesterday' },
      'a key that is none': { secret_keys: ['x'] },
      'no keys': { secret_keys: [] },
      'left out what is no text': { left_out: [{}] },
      'a format that is no number': { format: '1' },
      'format 0': { format: 0 },
    }).map(([what, change]): [string, unknown] => [what, { ...MANIFEST, ...change }]),
  ])('whose manifest has %s is refused in a sentence', async (_, content) => {
    const archive = await archiveOf([fileOf('manifest.json', JSON.stringify(content)), teams, end]);
    expect(await refusalOf(new Source([archive]))).toMatch(
      /^The archive is damaged: its manifest\.json is not as `rcpt backup` writes it\./,
    );
  });

  it('of a newer format names it', async () => {
    const newer = fileOf('manifest.json', JSON.stringify({ format: 2, tables: 'elsewhere' }));
    expect(await refusalOf(new Source([await archiveOf([newer])]))).toMatch(
      /^The archive has format 2, and this version of Rcpt reads format 1: install/,
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /not as `rcpt backup` writes it/],
    ['no tables', { sequences: [] }, /not as/],
    ['no sequences', { tables: [{ name: 'teams', rows: 2 }] }, /not as/],
    ['fewer rows', { tables: [{ name: 'teams', rows: 1 }], sequences: [] }, /another number of rows/],
    ['fewer tables', { tables: [], sequences: [] }, /another number of rows/],
    ['another table', { tables: [{ name: 'users', rows: 2 }], sequences: [] }, /another number of rows/],
    ['rows that are no number', { tables: [{ name: 'teams', rows: 'many' }], sequences: [] }, /not as/],
    ...['x', '-1', '0', '1e3', '01', '99999999999999999999', 5, null].map(
      (value): [string, unknown, RegExp] => [
        `a sequence at ${JSON.stringify(value)}`,
        {
          tables: [{ name: 'teams', rows: 2 }],
          sequences: [{ name: 'a_seq', last_value: value, is_called: true }],
        },
        /not as/,
      ],
    ),
  ])('whose end has %s is refused in a sentence', async (_, content, says) => {
    const archive = await archiveOf([manifest, teams, fileOf('end.json', JSON.stringify(content))]);
    expect(await refusalOf(new Source([archive]))).toMatch(says);
  });

  it('with JSON that is none, or nested without end, is refused in a sentence', async () => {
    for (const text of ['', '{', '['.repeat(1_048_576), '\u0000', '{"a":1}{'])
      expect(await refusalOf(new Source([await archiveOf([fileOf('manifest.json', text)])]))).toMatch(
        /manifest\.json is not as/,
      );
  });
});
