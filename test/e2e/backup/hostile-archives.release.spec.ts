import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateX25519Identity } from 'age-encryption';
import { access, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ArchiveEnd,
  Manifest,
  TableShape,
} from '../../../src/platform/database/archive/archive-format.js';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import {
  archiveOf,
  fileOf,
  membersOf,
  replaced,
  withJson,
  type Member,
} from '../../support/archives/archive-files.js';
import { BackupScene, onDatabase } from '../../support/database/backup-scene.js';
import { DataDirs } from '../../support/database/data-dirs.js';
import { onServer } from '../../support/database/fresh-database.js';

type Change = (members: Member[]) => Member[];

/** Restored by everybody who believes the manifest. */
const withTable =
  (table: TableShape, text: string): Change =>
  (members) => {
    const changed = withJson<Manifest>(members, 'manifest.json', (manifest) => ({
      ...manifest,
      tables: [...manifest.tables, table],
    }));
    const end = withJson<ArchiveEnd>(changed, 'end.json', (content) => ({
      ...content,
      tables: [...content.tables, { name: table.name, rows: text.split('\n').length - 1 }],
    }));
    return [...end.slice(0, -1), fileOf(`tables/${table.name}.copy`, text), end.at(-1)!];
  };

const withManifest =
  (change: (manifest: Manifest) => Partial<Manifest>): Change =>
  (members) =>
    withJson<Manifest>(members, 'manifest.json', (manifest) => ({ ...manifest, ...change(manifest) }));

const withSequence =
  (name: string, value: string): Change =>
  (members) =>
    withJson<ArchiveEnd>(members, 'end.json', (end) => ({
      ...end,
      sequences: [...end.sequences, { name, last_value: value, is_called: true }],
    }));

/** Rows of one table, with as many rows as before. */
const withRows =
  (table: string, change: (text: string) => string | Uint8Array): Change =>
  (members) =>
    replaced(members, `tables/${table}.copy`, change);

/** A function of the catalog that runs a program as the account of the server, and its event trigger. */
const PROGRAM_FUNCTION = (file: string) =>
  [
    '99999\thostile\t11\t10\t12657\t100\t0\t0\t-\tf\tf\tf\tt\tf\tv\tu\t0\t0\t3838\t\t\\N\t\\N\t\\N\t\\N\t\\N',
    `\tBEGIN COPY (SELECT 1) TO PROGRAM 'touch ${file}'; END\t\\N\t\\N\t\\N\t\\N\n`,
  ].join('');

describe('rcpt restore of an archive that somebody else has made', () => {
  let scene: BackupScene;
  let members: Member[];

  beforeAll(async () => {
    scene = await BackupScene.open();
    members = await membersOf(await readFile(scene.archive));
  });
  beforeEach(() => scene.next());
  afterAll(() => scene.close());

  const restored = async (change: Change) => {
    const path = join(scene.folder, 'hostile.rcpt');
    await writeFile(path, await archiveOf(change([...members])));
    return scene.restore([path]);
  };

  it('restores it when it is as ours', async () => {
    expect(await restored((same) => same)).toMatchObject({ code: 0, err: '' });
  });

  it.each<[string, Change, RegExp]>([
    [
      'a table of the catalog',
      withTable({ name: 'pg_proc', columns: ['oid'] }, '1\n'),
      /pg_proc is not a table/,
    ],
    ['an event trigger', withTable({ name: 'pg_event_trigger', columns: ['oid'] }, '1\n'), /is not a table/],
    ['a view of the catalog', withTable({ name: 'pg_settings', columns: ['name'] }, 'a\n'), /is not a table/],
    ['a table of another schema', withTable({ name: 'job', columns: ['id'] }, '1\n'), /job is not a table/],
    [
      'the record of migrations',
      withTable({ name: 'migrations', columns: ['name'] }, 'a\n'),
      /is not a table/,
    ],
    ['an unlogged table', withTable({ name: 'smtp_permits', columns: ['egress'] }, 'a\n'), /is not a table/],
    [
      'a table that does not exist',
      withTable({ name: 'elsewhere', columns: ['id'] }, '1\n'),
      /is not a table/,
    ],
    ['a function', withTable({ name: 'rcpt_today', columns: ['id'] }, '1\n'), /is not a table/],
    [
      'a column that does not exist',
      withManifest(({ tables }) => ({
        tables: tables.map((table) =>
          table.name === 'teams' ? { ...table, columns: [...table.columns.slice(1), 'ctid'] } : table,
        ),
      })),
      /teams has no column ctid/,
    ],
    [
      'every second migration',
      withManifest(({ migrations }) => {
        const half = migrations.filter((_, place) => place % 2 === 0);
        return { migrations: half, revision: half.at(-1)! };
      }),
      /it lacks migrations/,
    ],
    [
      'the first half of the migrations',
      withManifest(({ migrations }) => {
        const half = migrations.slice(0, migrations.length / 2);
        return { migrations: half, revision: half.at(-1)! };
      }),
      /is not a table of Rcpt|has no column/,
    ],
    [
      'the first migration alone',
      (own) =>
        withJson<ArchiveEnd>(
          withManifest(({ migrations }) => ({
            migrations: migrations.slice(0, 1),
            revision: migrations[0]!,
            tables: [],
          }))([own[0]!, own.at(-1)!]),
          'end.json',
          () => ({ tables: [], sequences: [] }),
        ),
      /it lacks migrations/,
    ],
    [
      'migrations twice',
      withManifest(({ migrations }) => ({ migrations: [...migrations, migrations.at(-1)!] })),
      /it lacks migrations/,
    ],
    ['a sequence of the catalog', withSequence('pg_class', '1'), /pg_class is not a sequence/],
    ['a sequence that is a table', withSequence('teams', '1'), /teams is not a sequence/],
    [
      'a sequence beyond its end',
      (own) =>
        withJson<ArchiveEnd>(own, 'end.json', (end) => ({
          ...end,
          sequences: end.sequences.map((state) => ({ ...state, last_value: '9999999999999999999' })),
        })),
      /value of a sequence \(22003\)/,
    ],
    [
      'a value that is no number',
      withRows('bulk_rows', (text) => text.replace(/^\S+/, 'many')),
      /refuses rows of bulk_rows \(22P02\)/,
    ],
    [
      'an object that does not exist',
      withRows('members', (text) => text.replaceAll(/\t(?=\d )/g, '\tnobody')),
      /refuses rows of members \(23\d+\)/,
    ],
    [
      'a row twice',
      withRows('teams', (text) => `${text.split('\n')[0]}\n`.repeat(text.split('\n').length - 1)),
      /refuses rows of teams \(23505\)/,
    ],
    [
      'the end of COPY before its rows',
      withRows('teams', (text) => text.replace(/^[^\t]*/, '\\.')),
      /damaged/,
    ],
    [
      'bytes that are no text',
      withRows('teams', (text) => Buffer.from(text.replace('0', '\u00ff'), 'latin1')),
      /refuses rows of teams \(22021\)/,
    ],
    ['a zero byte', withRows('teams', (text) => text.replace('0', '\0')), /refuses rows of teams \(22\w+\)/],
    [
      'JSON without end',
      withRows('outbox', (text) => text.replace(/\{.*?\}(?=\t)/, '['.repeat(100_000))),
      /refuses rows of outbox/,
    ],
    ['a field of 100 MB', withRows('teams', (text) => text.replace('0', 'a'.repeat(100_000_000))), /damaged/],
  ])('refuses one with %s, and changes nothing', async (_, change, says) => {
    const { code, out, err } = await restored(change);
    expect([code, out, err]).toEqual([65, '', expect.stringMatching(says)]);
    expect(err).toMatch(/^rcpt: The archive is damaged: .* Nothing was changed\.\n$/);
    expect(await scene.isEmpty()).toBe(true);
  });

  it('refuses one that is not encrypted where a passphrase or an identity was given', async () => {
    const passphrase = join(scene.folder, 'passphrase');
    await writeFile(passphrase, 'a passphrase\n');
    const identity = join(scene.folder, 'identity');
    await writeFile(identity, `# a key\n${await generateX25519Identity()}\n`);
    const given: [string[], Record<string, string>][] = [
      [[], { RCPT_PASSPHRASE: 'a passphrase' }],
      [['--passphrase-file', passphrase], {}],
      [['--identity', identity], {}],
      [['--identity', identity, '--secret-key-to', join(scene.folder, 'key')], {}],
    ];
    for (const [options, env] of given) {
      const { code, err } = await scene.restore([scene.archive, ...options], env);
      expect([code, err]).toEqual([
        65,
        expect.stringMatching(/^rcpt: The archive is not encrypted, and .* Nothing was changed/),
      ]);
    }
    expect(await scene.isEmpty()).toBe(true);
  });

  it('runs no program, also as the superuser of the server', async () => {
    const dirs = new DataDirs();
    const marker = join(await mkdtemp(join(tmpdir(), 'rcpt-marker-')), 'ran');
    const postgres = await EmbeddedPostgres.open({
      dataDir: await dirs.nextInitialized(),
      log: () => undefined,
    });
    const columns = await catalogColumns(postgres.administratorUrl);
    const hostile = withTable({ name: 'pg_proc', columns }, PROGRAM_FUNCTION(marker));
    const path = join(scene.folder, 'program.rcpt');
    await writeFile(path, await archiveOf(hostile([...members])));
    const { code, err } = await scene.restore([path], { DATABASE_URL: postgres.administratorUrl });
    expect([code, err]).toEqual([65, expect.stringContaining('pg_proc is not a table of Rcpt')]);
    await onServer(postgres.administratorUrl, 'CREATE TABLE later ()');
    await expect(access(marker)).rejects.toThrow('ENOENT');
    await postgres.close();
    await dirs.removeAll();
  });
});

async function catalogColumns(url: string): Promise<string[]> {
  const names = await onDatabase(url, (found) =>
    found.query<{ name: string }[]>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'pg_proc'::regclass AND attnum > 0 ORDER BY attnum`,
    ),
  );
  return names.map(({ name }) => name);
}
