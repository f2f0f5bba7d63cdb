import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { anApp, type TestApp } from '../support/app.js';
import { workOn } from '../support/bulk.js';
import { MailWorld } from '../support/mail-world.js';
import { RcptProcess } from '../support/rcpt-process.js';

const EX_USAGE = 64;

describe('rcpt bulk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-cli-'));
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await rm(folder, { recursive: true });
  });

  const inFolder = (name: string) => join(folder, name);
  const read = async (name: string) =>
    parse<Record<string, string>>(await readFile(inFolder(name), 'utf8'), { columns: true });
  const listOf = (emails: readonly string[]) =>
    writeFile(inFolder('list.csv'), `id,email\n${emails.map((email, id) => `${id},${email}`).join('\n')}\n`);

  describe('with a service', () => {
    let app: TestApp;
    let key: string;
    let working = true;
    let work: Promise<void>;
    beforeAll(async () => {
      app = await anApp();
      key = (await app.anAccount()).testKey;
      work = (async () => {
        while (working) {
          await workOn(app);
          await pause(20);
        }
      })();
    });
    afterAll(async () => {
      working = false;
      await work;
      await app.stop();
    });

    const rcpt = (...args: string[]) =>
      RcptProcess.run(['cli.js', 'bulk', ...args], { RCPT_URL: app.url, RCPT_API_KEY: key });

    it('submits the list and writes it with the verdicts', async () => {
      await listOf(['jane@example.com', 'mailbox_not_found@example.com', 'jane@example.com']);
      const cli = rcpt(inFolder('list.csv'), '-o', inFolder('out.csv'), '--json');
      expect([await cli.exit(), cli.stderr]).toEqual([0, '']);
      expect(JSON.parse(cli.stdout)).toMatchObject({
        rows: 3,
        by_status: { deliverable: 2, undeliverable: 1 },
      });
      expect(await read('out.csv')).toMatchObject([
        { id: '0', email: 'jane@example.com', status: 'deliverable' },
        { id: '1', email: 'mailbox_not_found@example.com', status: 'undeliverable' },
        { id: '2', email: 'jane@example.com', status: 'deliverable' },
      ]);
      expect((await readdir(folder)).sort()).toEqual(['list.csv', 'out.csv']);
    });

    it('does not create a second job when it is resumed after an interruption', async () => {
      await listOf(['joe@example.com']);
      const jobs = async () =>
        ((await app.get('/v1/bulk-jobs?limit=100', key)).body as { data: unknown[] }).data.length;
      const before = await jobs();
      const first = rcpt(inFolder('list.csv'));
      while ((await jobs()) === before) await pause(10);
      await first.end('SIGKILL');
      const again = rcpt(inFolder('list.csv'));
      expect([await again.exit(), again.stderr]).toEqual([0, '']);
      expect(await read('list.verified.csv')).toMatchObject([
        { email: 'joe@example.com', status: 'deliverable' },
      ]);
      expect(await jobs()).toBe(before + 1);
    });

    it.each([
      ['a file that is not there', ['none.csv'], /no file/],
      ['no column with addresses', ['bad.csv'], /400 malformed_list/],
      ['its own list as output', ['bad.csv', '-o', 'bad.csv'], /overwritten/],
    ])('reports %s', async (_, args, words) => {
      await writeFile(inFolder('bad.csv'), 'name\nJane\n');
      const cli = rcpt(...args.map((arg) => (arg.endsWith('.csv') ? inFolder(arg) : arg)));
      expect(await cli.exit()).toBe(EX_USAGE);
      expect(cli.stderr).toMatch(words);
    });

    it('names the variable for the key', async () => {
      await listOf(['joe@example.com']);
      const cli = RcptProcess.run(['cli.js', 'bulk', inFolder('list.csv'), '--url', app.url]);
      expect(await cli.exit()).toBe(EX_USAGE);
      expect(cli.stderr).toContain('RCPT_API_KEY');
    });
  });

  describe('without a service', () => {
    let world: MailWorld;
    beforeAll(async () => {
      world = await MailWorld.start();
    });
    afterAll(() => world.stop());

    const rcpt = (...args: string[]) => RcptProcess.run(['cli.js', 'bulk', ...args], world.env);

    it('queries mail servers itself, and keeps the input order', async () => {
      await listOf(['jane@plain.mailworld', 'no address', 'nobody@plain.mailworld']);
      const cli = rcpt(inFolder('list.csv'), '-o', inFolder('out.csv'));
      expect([await cli.exit(), cli.stderr]).toEqual([0, '']);
      expect(cli.stdout).toContain('3 rows');
      expect(await read('out.csv')).toMatchObject([
        { id: '0', email: 'jane@plain.mailworld', reason: 'accepted_email' },
        { id: '1', email: 'no address', reason: 'invalid_syntax' },
        { id: '2', email: 'nobody@plain.mailworld', reason: 'mailbox_not_found' },
      ]);
    });

    it('resumes after an interruption, with every row once', async () => {
      const emails = Array.from({ length: 1_000 }, (_, n) =>
        n % 200 === 7 ? `p${n}@plain.mailworld` : `no address ${n}`,
      );
      await listOf(emails);
      const first = rcpt(inFolder('list.csv'), '-o', inFolder('out.csv'));
      while (!(await readdir(folder)).some((name) => /^out\.csv(\.progress)?$/.test(name))) await pause(5);
      await first.end('SIGKILL');
      const again = rcpt(inFolder('list.csv'), '-o', inFolder('out.csv'));
      expect([await again.exit(), again.stderr]).toEqual([0, '']);
      expect((await read('out.csv')).map(({ email }) => email)).toEqual(emails);
      expect((await readdir(folder)).sort()).toEqual(['list.csv', 'out.csv']);
    });
  });
});
