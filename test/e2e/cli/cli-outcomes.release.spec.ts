import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aComplaint, REPORT_FORMATS, type ReportFormat } from '../../support/outcomes/delivery-reports.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_DATAERR = 65;
const EX_SOFTWARE = 70;
const EX_TEMPFAIL = 75;
const SEPARATOR = 'From MAILER-DAEMON Mon Nov 16 10:20:30 2026\n';
const OTHER_MESSAGE = 'From: jane@sender.example\r\nSubject: Hello\r\n\r\nHello';

describe('rcpt outcomes import', () => {
  let folder: ListFolder;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt('2026-11-20T12:00:00Z');
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    account = await app.anAccount();
    folder = await ListFolder.make();
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const env = () => ({ RCPT_URL: app.url, RCPT_API_KEY: account.liveKey });
  const rcpt = (...args: string[]) => runRcpt(['outcomes', 'import', ...args], env());
  const sums = async (...args: string[]) => {
    const { code, out, err } = await rcpt(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as unknown;
  };
  /** A process of the command, as a mail server runs it. */
  const aProcess = () => RcptProcess.run(['../bin/rcpt.js', 'outcomes', 'import', '-'], env());
  const piped = (input: string, more: Record<string, string> = {}) =>
    runRcpt(['outcomes', 'import', '-'], { ...env(), ...more }, input);
  const of = async (email: string) =>
    ((await app.get(`/v1/outcomes?email=${email}`, account.liveKey)).body as { data: unknown[] }).data;
  const count = async () => {
    const sql = 'SELECT count(*)::integer AS n FROM outcomes WHERE team_id = $1';
    const [row] = await app.service.app.get(DataSource).query<{ n: number }[]>(sql, [account.team.id]);
    return row?.n ?? 0;
  };
  const reportOf = (recipient: string, format: ReportFormat = 'postfix') =>
    REPORT_FORMATS[format]({
      recipient,
      reply: `550 5.1.1 <${recipient}>: User unknown`,
      remoteHost: 'mx.example.com',
    });

  it('sends a CSV, and prints the sums with the reasons', async () => {
    await folder.write(
      'b.csv',
      'Email;Outcome;reply\na@example.com;bounced;"550 5.1.1\nno user"\nb@example.com;opened;\nnobody;delivered;\nc@example.com;sent;\n',
    );
    const { code, out, err } = await rcpt(folder.in('b.csv'));
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      [
        '4 received: 1 stored, 0 stored before, 3 ignored',
        `  2 invalid_outcome: outcome is one of delivered, bounced, complained. (first: ${folder.in('b.csv')}, row 2)`,
        `  1 invalid_email: email is no address. (first: ${folder.in('b.csv')}, row 3)`,
        '',
      ].join('\n'),
    );
    expect(await of('a@example.com')).toMatchObject([{ kind: 'bounced', code: 550, enhanced_code: '5.1.1' }]);
  });

  it('sends a CSV in UTF-16 and NDJSON, and what it sent before counts once', async () => {
    const csv = 'email,outcome,at\njürgen@example.com,bounced,2026-11-01T00:00:00Z\n';
    await folder.write('u.csv', Buffer.from(`\ufeff${csv}`, 'utf16le'));
    expect(await sums(folder.in('u.csv'))).toMatchObject({ received: 1, stored: 1 });
    const line = '{"email":"d@example.com","outcome":"delivered","at":"2026-11-01T00:00:00Z"}';
    await folder.write('d.ndjson', `\n${line}\n\n${line}`);
    const first = { received: 2, stored: 1, duplicates: 1, ignored: [] };
    expect(await sums(folder.in('d.ndjson'))).toEqual(first);
    expect(await sums(folder.in('d.ndjson'))).toEqual({ ...first, stored: 0, duplicates: 2 });
  });

  it.each(Object.keys(REPORT_FORMATS) as ReportFormat[])('sends a message: %s', async (format) => {
    await folder.write('r.eml', reportOf('gone@example.com', format));
    const expected = { received: 1, stored: 1, duplicates: 0, ignored: [] };
    expect(await sums(folder.in('r.eml'))).toEqual(expected);
    expect(await of('gone@example.com')).toMatchObject([{ kind: 'bounced', code: 550 }]);
  });

  it('sends the messages of an mbox, and goes on after one that cannot be read', async () => {
    const deep = `Content-Type: multipart/mixed; boundary=0\n\n${Array.from(
      { length: 40 },
      (_, n) => `--${n}\nContent-Type: multipart/mixed; boundary=${n + 1}\n\n`,
    ).join('')}\n`;
    const messages = [
      reportOf('m1@example.com', 'postfix'),
      OTHER_MESSAGE,
      deep,
      `Subject: large\n\n${'x\n'.repeat(2_600_000)}`,
      reportOf('m2@example.com', 'exim'),
      aComplaint(),
    ];
    await folder.write('bounces', messages.map((message) => `${SEPARATOR}${message}\n`).join(''));
    const result = (await sums(folder.in('bounces'))) as { ignored: { code: string; first: string }[] };
    expect(result).toMatchObject({ received: 6, stored: 3, duplicates: 0 });
    expect(result.ignored.map(({ code, first }) => `${code} ${first}`).sort()).toEqual([
      `malformed_report ${folder.in('bounces')}, message 3`,
      `no_report ${folder.in('bounces')}, message 2`,
      `payload_too_large ${folder.in('bounces')}, message 4`,
    ]);
    expect(await of('m2@example.com')).toMatchObject([{ kind: 'bounced' }]);
  });

  it('sends the messages of a Maildir without those that are being written', async () => {
    for (const name of ['cur', 'new', 'tmp']) {
      await mkdir(folder.in(name));
      await folder.write(`${name}/1.M2P3.host:2,S`, reportOf(`${name}@example.com`, 'exim'));
      await folder.write(`${name}/.hidden`, reportOf('hidden@example.com', 'exim'));
    }
    expect(await sums(folder.in(''))).toMatchObject({ received: 2, stored: 2 });
    expect(await of('tmp@example.com')).toEqual([]);
  });

  it('sends the files of another directory by their content', async () => {
    await folder.write('1', reportOf('e1@example.com', 'gmail'));
    await folder.write('list.txt', 'outcome,email\ndelivered,e2@example.com\n');
    await folder.write('empty.eml', '');
    await mkdir(folder.in('more'));
    expect(await sums(folder.in(''))).toMatchObject({ received: 2, stored: 2, ignored: [] });
  });

  it('takes a message from a mail server, also one that is no report', async () => {
    const cli = aProcess();
    cli.child.stdin?.end(`${SEPARATOR}${reportOf('piped@example.com')}`);
    expect(await cli.exit()).toBe(0);
    expect([cli.stdout, cli.stderr]).toEqual(['1 received: 1 stored, 0 stored before, 0 ignored\n', '']);
    expect(await of('piped@example.com')).toHaveLength(1);
    expect(await piped(OTHER_MESSAGE)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 no_report'),
    });
    expect(await piped('')).toMatchObject({ code: 0, out: expect.stringContaining('0 received') });
  });

  it.each([
    [
      'the service does not respond',
      { RCPT_URL: 'http://127.0.0.1:2' },
      /no connection to 127\.0\.0\.1:2: nothing listens/,
    ],
    ['the key is wrong', { RCPT_API_KEY: 'rcpt_live_wrong' }, /401 invalid_credential/],
    ['there is no service', { RCPT_URL: '' }, /--url or RCPT_URL/],
  ])('lets the mail server keep the message if %s', async (_, more, words) => {
    const { code, err } = await piped(reportOf('kept@example.com'), more);
    expect([code, err]).toEqual([EX_TEMPFAIL, expect.stringMatching(words)]);
  });

  it('that is interrupted says what to do, and what it had sent counts once', async () => {
    const rows = Array.from(
      { length: 12_000 },
      (_, n) => `k${n}@example.com,delivered,<${n}@sender.example>\n`,
    );
    const list = `email,outcome,message_id\n${rows.join('')}`;
    await folder.write('k.csv', list);
    const cli = aProcess();
    // The first part, and most of the second one.
    cli.child.stdin?.write(list.slice(0, -10_000));
    while ((await count()) === 0) await pause(5);
    await cli.end('SIGINT');
    expect(cli.child.signalCode).toBe('SIGINT');
    expect(cli.stderr).toMatch(/^rcpt: interrupted; run the same command again, which counts nothing twice/);
    const { stored, duplicates, ...others } = (await sums(folder.in('k.csv'))) as Record<string, number>;
    expect(others).toEqual({ received: 12_000, ignored: [] });
    expect([Number(duplicates) > 0, Number(stored) + Number(duplicates)]).toEqual([true, 12_000]);
    expect(await count()).toBe(12_000);
  });

  it.each<[string, string | null, number, RegExp]>([
    ['a file that is not there', null, EX_USAGE, /^rcpt: there is no file \S+; name a file, a directory/],
    [
      'a list without a row that can be used',
      'name,kind\nJane,x\n',
      EX_USAGE,
      /row 1 and the following: 400 .* Name the one with the addresses email\.\n$/,
    ],
    ['a list with a quote that is not closed', 'email,outcome\n"a,b\n', EX_USAGE, /400 malformed_list/],
  ])('exits with an error for %s', async (_, text, expected, words) => {
    if (text !== null) await folder.write('x.csv', text);
    const { code, out, err } = await rcpt(folder.in('x.csv'));
    expect([code, out, err]).toEqual([expected, '', expect.stringMatching(words)]);
  });

  it('exits with 65 if no row of a list can be used, and with 70 if the service does not respond', async () => {
    await folder.write('x.csv', 'email,outcome\na@example.com,opened\n');
    expect(await rcpt(folder.in('x.csv'))).toMatchObject({ code: EX_DATAERR, err: '' });
    expect(await rcpt(folder.in('x.csv'), '--url', 'http://127.0.0.1:2')).toMatchObject({
      code: EX_SOFTWARE,
    });
  });
});
