import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { aFreshDatabase, anEmptyDatabase } from '../../support/database/fresh-database.js';
import { withLockedTable } from '../../support/database/locked-table.js';
import { contentsOf } from '../../support/database/planted-rows.js';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
const RCPT = join(import.meta.dirname, '../../../bin/rcpt.js');

/** What only another process shows: signals, limits of the system, pipes and terminals. */
describe('rcpt backup as a process', () => {
  let source: Awaited<ReturnType<typeof aFreshDatabase>>;
  let found: DataSource;
  let folder: string;
  let path: string;

  beforeAll(async () => {
    source = await aFreshDatabase();
    found = await createDataSource(source.url, [], 3).initialize();
    // More than a limit of 200 KB: the archive has 900 KB.
    await found.query(
      `INSERT INTO outbox (id, type, team_id, data, occurred_at)
       SELECT 'evt_' || n, 'a', 'b', jsonb_build_object('x', sha256(n::text::bytea)::text), now() FROM generate_series(1, 20000) AS n`,
    );
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-backup-'));
    path = join(folder, 'a.backup');
    await writeFile(path, 'earlier');
  });
  afterAll(async () => {
    await found.destroy();
    await source.drop();
  });

  /** @param command of a shell; `rcpt` is the command line. */
  const shell = (command: string, env: Record<string, string> = {}) => {
    const child = spawn(
      'bash',
      ['--norc', '-c', `rcpt() { exec "${process.execPath}" "${RCPT}" "$@"; }; ${command}`],
      {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', DATABASE_URL: source.url, SECRET_KEY, ...env },
        stdio: 'pipe',
      },
    );
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, said }));
    /** Resolves when it has said these words that often. */
    const asked = async (words: string, times: number) => {
      while (said.split(words).length <= times)
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    };
    return { child, ended, asked };
  };
  const left = async () => {
    expect(await readFile(path, 'utf8')).toBe('earlier');
    const names = (await readdir(folder)).filter((name) => name !== 'a.backup');
    await rm(folder, { recursive: true });
    return names;
  };

  it.each([
    ['SIGTERM', 0],
    ['SIGKILL', 1],
  ] as const)(
    'that is ended by %s leaves the earlier file, and no other that looks complete',
    async (signal, drafts) => {
      await withLockedTable(found, 'webhooks', async (waiting) => {
        const { child, ended } = shell('rcpt backup a.backup');
        await waiting();
        child.kill(signal);
        expect(await ended).toMatchObject({ signal });
      });
      const names = await left();
      expect(names).toHaveLength(drafts);
      expect(names.every((name) => name.endsWith('.partial'))).toBe(true);
    },
  );

  it('replaces what a killed one has left, and says what belongs to a process that runs', async () => {
    const others = [`.a.backup.${process.pid}.00000000.partial`, '.b.backup.1.00000000.partial'];
    for (const name of others) await writeFile(join(folder, name), 'incomplete');
    await withLockedTable(found, 'webhooks', async (waiting) => {
      const { child, ended } = shell('rcpt backup a.backup');
      await waiting();
      child.kill('SIGKILL');
      await ended;
    });
    expect(await readdir(folder)).toHaveLength(4);
    const { code, said } = await shell('rcpt backup a.backup').ended;
    expect([code, said]).toEqual([0, expect.stringContaining(`${others[0]} is of process ${process.pid}.`)]);
    expect((await readdir(folder)).sort()).toEqual([...others, 'a.backup'].sort());
    await rm(folder, { recursive: true });
  });

  it('on a full disk says so, and leaves the earlier file', async () => {
    // In kilobytes: the limit of the system for a file stands for the disk.
    const { code, said } = await shell('ulimit -f 200; rcpt backup a.backup').ended;
    expect([code, said]).toEqual([74, expect.stringMatching(/^rcpt: .*(full|larger than)/)]);
    const piped = await shell('rcpt backup - > /dev/full').ended;
    expect([piped.code, piped.said]).toEqual([
      74,
      'rcpt: the disk is full; free some space, and run the same command again\n',
    ]);
    expect(await left()).toEqual([]);
  });

  it('into a pipe that breaks fails', async () => {
    const { said } = await shell('set -o pipefail; (rcpt backup -) | head -c 10 > start; echo "code $?"')
      .ended;
    expect(said).toMatch(/code 70\n$/);
    expect(said).toContain('EPIPE');
  });

  it('through a pipe is restored by another process, and its messages are not in the archive', async () => {
    const target = await anEmptyDatabase();
    const command = `(rcpt backup - --encrypt) | (export DATABASE_URL=${target.url}; rcpt restore -)`;
    const { code, said } = await shell(command, { RCPT_PASSPHRASE: 'a passphrase' }).ended;
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/The archive has .* encrypted[^]*Restored 200\d\d rows/),
    ]);
    expect((await contentsOf(target.url)).outbox).toHaveLength(20_000);
    await target.drop();
  });

  it('asks for the passphrase at the terminal, twice, and does not show it', async () => {
    const program = `"${process.execPath}" "${RCPT}" backup b.backup --encrypt`;
    const { child, ended, asked } = shell(`script -qec '${program}' /dev/null`);
    await asked('Passphrase of the archive: ', 1);
    child.stdin.write('secret words\r');
    await asked('The same again: ', 1);
    child.stdin.write('secret words\r');
    const { code, said } = await ended;
    expect([code, said]).toEqual([0, expect.stringContaining('encrypted with the passphrase')]);
    expect(said).not.toContain('secret words');
  });
});
