import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { anApp, type TestApp } from '../../support/app/app.js';
import { workOn } from '../../support/app/bulk.js';
import { ListFolder } from '../../support/processes/list-folder.js';
import { RawClient } from '../../support/http/raw-client.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_DATAERR = 65;
/** The first line: how the list was read. */
const READ: unknown = expect.stringMatching(/^rcpt: read with .*; addresses are in ".*"; .*\n$/);

describe('rcpt bulk, with a service', () => {
  let folder: ListFolder;
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
  beforeEach(async () => {
    folder = await ListFolder.make();
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const env = () => ({ RCPT_URL: app.url, RCPT_API_KEY: key });
  const named = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? folder.in(arg) : arg));
  const rcpt = (...args: string[]) => runRcpt(['bulk', ...named(args)], env());
  const piped = (input: string, ...args: string[]) => runRcpt(['bulk', '-', ...named(args)], env(), input);
  const aProcess = (...args: string[]) => RcptProcess.run(['../bin/rcpt.js', 'bulk', ...named(args)], env());
  const jobs = async () =>
    ((await app.get('/v1/bulk-jobs?limit=100', key)).body as { data: unknown[] }).data.length;

  it('submits the list and writes it with the verdicts', async () => {
    await folder.writeList(['jane@example.com', 'mailbox_not_found@example.com', 'jane@example.com']);
    // Run in a separate process, as users run it.
    const cli = aProcess('list.csv', '-o', 'out.csv', '--json');
    expect([await cli.exit(), cli.stderr]).toEqual([0, '']);
    expect(JSON.parse(cli.stdout)).toMatchObject({
      rows: 3,
      written: 3,
      by_status: { deliverable: 2, undeliverable: 1 },
    });
    expect(await folder.rows('out.csv')).toMatchObject([
      { id: '0', email: 'jane@example.com', status: 'deliverable' },
      { id: '1', email: 'mailbox_not_found@example.com', status: 'undeliverable' },
      { id: '2', email: 'jane@example.com', status: 'deliverable' },
    ]);
    expect(await folder.names()).toEqual(['list.csv', 'out.csv']);
  });

  it('says how to resume when it is interrupted, and resumes without a second job', async () => {
    await folder.writeList(['joe@example.com']);
    const before = await jobs();
    const first = aProcess('list.csv');
    while ((await jobs()) === before) await pause(10);
    await first.end('SIGINT');
    expect(first.child.signalCode).toBe('SIGINT');
    // The service may have answered before, and the list may have been written.
    const told = /^(rcpt: read with .*\n)?rcpt: interrupted; run the same command again, which resumes\n$/;
    expect(first.stderr).toEqual(first.stdout === '' ? expect.stringMatching(told) : READ);
    expect(await rcpt('list.csv')).toMatchObject({ code: 0 });
    expect(await folder.rows('list.verified.csv')).toMatchObject([
      { email: 'joe@example.com', status: 'deliverable' },
    ]);
    expect(await jobs()).toBe(before + 1);
  });

  it('waits for an interrupted upload of the same list that the service still reads', async () => {
    await folder.writeList(['jim@example.com']);
    // The upload cannot end, so that the key is known.
    const refused = await runRcpt(['bulk', folder.in('list.csv')], {
      ...env(),
      RCPT_URL: 'http://127.0.0.1:2',
    });
    expect(refused).toMatchObject({
      code: 70,
      err: expect.stringMatching(/no connection to 127\.0\.0\.1:2: nothing listens/),
    });
    const file = 'list.verified.csv.progress';
    const progress = JSON.parse(await folder.text(file)) as { idempotencyKey: string };
    await folder.write(file, JSON.stringify({ ...progress, url: app.url }));
    const upload = await RawClient.connect(Number(new URL(app.url).port));
    await upload.send(
      `POST /v1/verify/bulk HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\nIdempotency-Key: ${progress.idempotencyKey}\r\nContent-Length: 900\r\n\r\nemail\n`,
    );
    // The service has taken the key when it stores the upload.
    const receiving = `SELECT FROM bulk_jobs WHERE state = 'receiving'`;
    while ((await app.service.app.get(DataSource).query<unknown[]>(receiving)).length === 0) await pause(10);
    const refusals = () => app.logged().split('"status":409').length;
    const before = refusals();
    const again = rcpt('list.csv');
    while (refusals() === before) await pause(10);
    upload.close();
    const { code, err } = await again;
    expect(code).toBe(0);
    expect(err).toMatch(
      /^(rcpt: 409 idempotency_in_progress: .* Trying again in 1 s\.\n)+rcpt: read with .*\n$/,
    );
    expect(await folder.rows('list.verified.csv')).toMatchObject([{ email: 'jim@example.com' }]);
  });

  it('reads the addresses from the column that --column names', async () => {
    await folder.write('two.csv', 'from,to\na@example.com,mailbox_not_found@example.com\n');
    const refused = await rcpt('two.csv');
    expect(refused).toMatchObject({ code: EX_DATAERR, out: '' });
    expect(refused.err).toMatch(
      /several columns contain addresses.*1 "from", 2 "to"\. Name one with --column\.\n$/,
    );
    expect(await rcpt('two.csv', '--column', 'TO')).toMatchObject({ code: 0, err: READ });
    expect(await folder.rows('two.verified.csv')).toMatchObject([
      { from: 'a@example.com', status: 'undeliverable' },
    ]);
  });

  it('verifies a mailbox once with --unique canonical', async () => {
    await folder.writeList(['jane+a@outlook.com', 'Jane@outlook.com']);
    const { code } = await rcpt('list.csv', '--unique', 'canonical', '-o', 'out.csv');
    expect(code).toBe(0);
    expect(await folder.rows('out.csv')).toMatchObject([
      { canonical_email: 'jane@outlook.com', duplicate_of: '' },
      { canonical_email: 'jane@outlook.com', duplicate_of: 'jane+a@outlook.com' },
    ]);
    const newest = await app.get('/v1/bulk-jobs?limit=1', key);
    expect(newest.body).toMatchObject({ data: [{ unique_by: 'canonical', unique: 1, duplicates: 1 }] });
  });

  it('marks formulas, and with --no-formula-guard leaves them as they are', async () => {
    await folder.write('f.csv', 'note,email\n=1+1,a@example.com\n');
    await rcpt('f.csv', '-o', 'marked.csv');
    await rcpt('f.csv', '-o', 'plain.csv', '--no-formula-guard');
    expect(await folder.rows('marked.csv')).toMatchObject([{ note: "'=1+1" }]);
    expect(await folder.rows('plain.csv')).toMatchObject([{ note: '=1+1' }]);
  });

  it('writes only rows with the statuses of --only, with the delimiter of the list', async () => {
    await folder.write(
      's.csv',
      'id;email\n1;a@example.com\n2;mailbox_not_found@example.com\n3;role@example.com\n',
    );
    const { code, out } = await rcpt('s.csv', '--only', 'deliverable, risky');
    expect([code, out]).toEqual([0, expect.stringContaining('2 of 3 rows')]);
    expect((await folder.text('s.verified.csv')).match(/^.*?;.*?;\w+/gm)).toEqual([
      'id;email;status',
      '1;a@example.com;deliverable',
      '3;role@example.com;risky',
    ]);
  });

  it('reads the list from standard input', async () => {
    const { code, err } = await piped('email\njane@example.com\n', '-o', 'out.csv');
    expect([code, err]).toEqual([0, READ]);
    expect(await folder.rows('out.csv')).toMatchObject([
      { email: 'jane@example.com', status: 'deliverable' },
    ]);
  });

  it('reads a pipe and writes the rows to standard output, also those of --only', async () => {
    const list = 'email;n\njane@example.com;1\nmailbox_not_found@example.com;2\n';
    const { code, out, err } = await piped(list, '--only', 'deliverable');
    expect(code).toBe(0);
    expect(out).toMatch(/^email;n;status;.*\njane@example.com;1;deliverable;.*\n$/);
    expect(err).toMatch(/^rcpt: read with semicolons .*\nstandard output: 1 of 2 rows\n/);
    await folder.write('list.csv', list);
    const whole = await rcpt('list.csv', '-o', '-');
    expect([whole.code, whole.out.split('\n').length]).toEqual([0, 4]);
    expect(await folder.names()).toEqual(['list.csv']);
  });

  it('converts a list from the encoding that --encoding names', async () => {
    await folder.write('list.csv', Buffer.from('name,email\nM\u00fcller,jane@example.com\n', 'latin1'));
    expect(await rcpt('list.csv', '--encoding', 'windows-1252')).toMatchObject({ code: 0, err: READ });
    expect(await folder.rows('list.verified.csv')).toMatchObject([
      { name: 'M\u00fcller', status: 'deliverable' },
    ]);
  });

  it.each([
    [['--column', 'Work Email'], '/v1/verify/bulk?refresh=false&email_column=Work%20Email&name=list.csv'],
    [
      ['--column', '2', '--no-header', '--max-age', '86400'],
      '/v1/verify/bulk?refresh=false&max_age=86400&email_column=2&header=false&name=list.csv',
    ],
    [['--header', '--refresh'], '/v1/verify/bulk?refresh=true&header=true&name=list.csv'],
  ])('sends %j as %s', async (args, target) => {
    const targets: string[] = [];
    const service = createServer((request, response) => {
      targets.push(request.url ?? '');
      request.resume().on('end', () => response.writeHead(400).end('{"code":"recorded"}'));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    await folder.writeList(['jane@example.com']);
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { err } = await rcpt('list.csv', '--url', url, ...args);
    service.close();
    expect([err, targets]).toEqual([expect.stringContaining('400 recorded'), [target]]);
  });

  it('does not replace the output of another run without --force', async () => {
    await folder.writeList(['jane@example.com']);
    await folder.write('out.csv', 'precious');
    const refused = await rcpt('list.csv', '-o', 'out.csv');
    expect(refused).toMatchObject({
      code: EX_USAGE,
      err: expect.stringMatching(/out\.csv exists; .*--force\n$/),
    });
    expect(await folder.text('out.csv')).toBe('precious');
    expect(await rcpt('list.csv', '-o', 'out.csv', '--force')).toMatchObject({ code: 0, err: READ });
    expect(await folder.rows('out.csv')).toMatchObject([{ email: 'jane@example.com' }]);
  });

  it.each([
    ['a file that is not there', ['none.csv'], /^rcpt: there is no file \S+none\.csv; name a CSV/],
    ['a folder', ['/', '-o', 'x.csv'], /^rcpt: \/ is a folder; name a CSV in it\n$/],
    [
      'an output in no folder',
      ['bad.csv', '-o', 'none/out.csv'],
      /no folder \S+none for the output; create it/,
    ],
    ['its own list as output', ['bad.csv', '-o', 'bad.csv'], /overwritten; name another output with -o\n$/],
    ['an unknown encoding', ['bad.csv', '--encoding', 'excel'], /Allowed choices are .*windows-1252/],
    [
      'an unknown status',
      ['bad.csv', '--only', 'good'],
      /one or more of deliverable, undeliverable, risky, unknown/,
    ],
    ['a URL that is none', ['bad.csv', '--url', 'localhost'], /localhost is no URL .* such as https:\/\//],
  ])('reports %s, and leaves no file', async (_, args, words) => {
    await folder.write('bad.csv', 'name\nJane\n');
    expect(await rcpt(...args)).toMatchObject({ code: EX_USAGE, err: expect.stringMatching(words) });
    expect(await folder.names()).toEqual(['bad.csv']);
  });

  it('ends with 65 for a list that the service cannot read, and leaves no file', async () => {
    for (const [text, words] of [
      ['name\nJane\n', /400 malformed_list.*"name"\. Name one with --column\.\n$/],
      ['email\nJane\nJoe\n', /400 malformed_list: No row .*--column .*--delimiter/],
    ] as const) {
      await folder.write('bad.csv', text);
      expect(await rcpt('bad.csv')).toMatchObject({ code: EX_DATAERR, err: expect.stringMatching(words) });
      expect(await folder.names()).toEqual(['bad.csv']);
    }
  });

  it('writes the header of a list without rows', async () => {
    const before = await jobs();
    await folder.write('list.csv', 'Kontakte\n\nid;E-Mail\n');
    expect(await rcpt('list.csv')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 rows'),
      err: expect.stringMatching(/semicolons .*line 3 names the columns/),
    });
    expect(await folder.text('list.verified.csv')).toMatch(/^id;E-Mail;status;.*\n$/);
    expect(await folder.names()).toEqual(['list.csv', 'list.verified.csv']);
    expect(await jobs()).toBe(before);
  });

  it('sends the delimiter and the line of the header', async () => {
    await folder.write('list.csv', 'Title\na~b\nx~jane@example.com\n');
    const args = ['--delimiter', '~', '--header-line', '2', '--json'];
    const { code, out } = await rcpt('list.csv', ...args);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { format: { delimiter: '~', header: 2, column: 'b' } },
    ]);
  });

  it('names the variable for the key', async () => {
    await folder.writeList(['joe@example.com']);
    const args = ['bulk', folder.in('list.csv')];
    const missing = await runRcpt(args, { RCPT_URL: app.url });
    expect(missing).toMatchObject({ code: EX_USAGE, err: expect.stringContaining('RCPT_API_KEY') });
    const wrong = await runRcpt(args, { RCPT_URL: app.url, RCPT_API_KEY: 'rcpt_test_wrong' });
    expect(wrong).toMatchObject({ code: EX_USAGE, err: expect.stringContaining('401 invalid_credential') });
  });
});
