import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ListFolder } from '../../support/processes/list-folder.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

describe('rcpt bulk, without a service', () => {
  let folder: ListFolder;
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    folder = await ListFolder.make();
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const named = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? folder.in(arg) : arg));
  const rcpt = (...args: string[]) => runRcpt(['bulk', ...named(args)], world.env);
  const aProcess = (...args: string[]) => RcptProcess.run(['../bin/rcpt.js', 'bulk', ...named(args)], world.env);

  it('queries mail servers itself, and keeps the input order', async () => {
    await folder.writeList(['jane@plain.mailworld', 'no address', 'nobody@plain.mailworld']);
    const { code, out, err } = await rcpt('list.csv', '-o', 'out.csv');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('3 rows');
    expect(await folder.rows('out.csv')).toMatchObject([
      { id: '0', email: 'jane@plain.mailworld', reason: 'accepted_email' },
      { id: '1', email: 'no address', reason: 'invalid_syntax' },
      { id: '2', email: 'nobody@plain.mailworld', reason: 'mailbox_not_found' },
    ]);
  });

  it('resumes after an interruption, with every row once', async () => {
    const emails = Array.from({ length: 1_000 }, (_, n) =>
      n % 200 === 7 ? `p${n}@plain.mailworld` : `no address ${n}`,
    );
    await folder.writeList(emails);
    const first = aProcess('list.csv', '-o', 'out.csv');
    while (!(await folder.names()).some((name) => /^out\.csv(\.progress)?$/.test(name))) await pause(5);
    await first.end('SIGKILL');
    expect(await rcpt('list.csv', '-o', 'out.csv', '--force')).toMatchObject({ code: 0, err: '' });
    expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual(emails);
    expect(await folder.names()).toEqual(['list.csv', 'out.csv']);
  });

  it('takes --column, --only and --no-formula-guard as with a service', async () => {
    await folder.write('two.csv', 'a;b\nx@x.com;no address\n@1;\u2007also none\nz;jane@plain.mailworld\n');
    const refused = await rcpt('two.csv');
    expect(refused).toMatchObject({
      code: EX_USAGE,
      err: expect.stringMatching(/Name one with --column\.\n$/),
    });
    expect(await folder.names()).toEqual(['two.csv']);
    const args = ['--column', 'b', '--only', 'undeliverable', '--no-formula-guard'];
    expect(await rcpt('two.csv', ...args)).toMatchObject({ code: 0, err: '' });
    expect((await folder.text('two.verified.csv')).match(/^.*?;.*?;\w+/gm)).toEqual([
      'a;b;status',
      'x@x.com;no address;undeliverable',
      '@1;\u2007also none;undeliverable',
    ]);
  });

  it('writes a header with the surplus cells of any row', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `no address ${n},${n === 250 ? '1,x' : '1'}\n`);
    await folder.write('ragged.csv', `email,id\n${rows.join('')}`);
    expect(await rcpt('ragged.csv')).toMatchObject({ code: 0, err: '' });
    const found = await folder.rows('ragged.verified.csv');
    expect(found[0]).toMatchObject({ email: 'no address 0', id: '1', column_3: '', status: 'undeliverable' });
    expect(found[250]).toMatchObject({ column_3: 'x', status: 'undeliverable' });
  });

  it('does not replace the output of another run without --force', async () => {
    await folder.writeList(['no address']);
    await folder.write('list.verified.csv', 'precious');
    expect(await rcpt('list.csv')).toMatchObject({ code: EX_USAGE, err: expect.stringContaining('--force') });
    expect(await folder.text('list.verified.csv')).toBe('precious');
  });

  it.each(['', 'email\n'])('refuses the empty list %p', async (text) => {
    await folder.write('list.csv', text);
    expect(await rcpt('list.csv')).toMatchObject({
      code: EX_USAGE,
      err: expect.stringMatching(/empty|no rows/),
    });
    expect(await folder.names()).toEqual(['list.csv']);
  });
});
