import { beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { archiveOf, fileOf } from '../../support/archives/archive-files.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations.js';

const EX_USAGE = 64;
const EX_IOERR = 74;
const RCPT = join(import.meta.dirname, '../../../bin/rcpt.js');
const FULL = 'rcpt: the disk is full; free some space, and run the same command again\n';

/** `/dev/full` and the limit of the system for a file stand for the disk. */
describe('a command that cannot write', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-disk-'));
    const migrations = MIGRATIONS.map(({ name }) => name);
    const manifest = {
      format: 1,
      rcpt: '0.3.0',
      created_at: '2026-01-02T03:04:05.678Z',
      revision: migrations.at(-1),
      migrations,
      tables: [],
      left_out: [],
      secret_keys: [Buffer.alloc(32, 7).toString('base64')],
    };
    const end = { tables: [], sequences: [] };
    const members = [
      fileOf('manifest.json', JSON.stringify(manifest)),
      fileOf('end.json', JSON.stringify(end)),
    ];
    await writeFile(join(folder, 'a.backup'), await archiveOf(members));
    await writeFile(join(folder, 'list.csv'), 'email\nsomeone@example.com\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const rcpt = async (command: string) => {
    const script = `rcpt() { exec "${process.execPath}" "${RCPT}" "$@"; }; ${command}`;
    const child = spawn('bash', ['--norc', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', SMTP_ENABLED: 'false', DNS_SERVERS: '127.0.0.1:9' },
    });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const [code] = (await once(child, 'close')) as [number];
    return { code, out: await out, err: await err };
  };

  it.each([
    ['what it prints', "rcpt explain '550 5.1.1 no such user' > /dev/full"],
    ['a verdict, whose exit codes are 0 to 3', 'rcpt verify someone@invalid --json > /dev/full'],
    ['a list', 'rcpt bulk list.csv -o - > /dev/full'],
    ['a key', 'ulimit -f 0; rcpt restore a.backup --secret-key-to key'],
  ])('to a full disk exits with 74: %s', async (_, command) => {
    const { code, err } = await rcpt(command);
    expect([code, err]).toEqual([
      EX_IOERR,
      expect.stringMatching(/rcpt: the (disk is full|file would be larger)/),
    ]);
    expect(err).not.toMatch(/^\s+at /m);
    expect((await readdir(folder)).sort()).toEqual(['a.backup', 'list.csv']);
  });

  it.each([
    ['a folder that does not exist', 'none/key', 'there is no file or folder'],
    ['below a file', 'list.csv/key', 'is below a file'],
    ['over a folder', '.', 'is a folder; name a file'],
  ])('%s exits with 64: another argument is needed', async (_, path, says) => {
    const { code, err } = await rcpt(`rcpt restore a.backup --secret-key-to ${path}`);
    expect([code, err]).toEqual([EX_USAGE, expect.stringContaining(says)]);
  });

  it('says so once', async () => {
    expect((await rcpt("rcpt explain '550 5.1.1 no such user' > /dev/full")).err).toBe(FULL);
  });
});
