import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ListFolder } from '../../support/processes/list-folder.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { greetingWith, SILENCE } from '../../support/smtp/smtp-behaviours.js';

const EX_USAGE = 64;
const EX_DATAERR = 65;
/** The first line: how the list was read. */
const COMMAS =
  'rcpt: read with commas between cells; line 1 names the columns; addresses are in "email"; utf-8\n';
const READ: unknown = expect.stringMatching(/^rcpt: read with .*; .*; addresses are in ".*"; .*\n$/);
/** Its server says nothing until the test gives it another behaviour. */
const SILENT = 'silent-until-released.mailworld';
const silent = { domain: SILENT, story: 'silent', servers: [greetingWith(SILENCE)], expect: {} };

describe('rcpt bulk, without a service', () => {
  let folder: ListFolder;
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: [...MAIL_SCENES, silent] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    folder = await ListFolder.make();
    world.server(SILENT).behaviour = greetingWith(SILENCE);
  });
  afterEach(async () => {
    await RcptProcess.endAll();
    await folder.remove();
  });

  const named = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? folder.in(arg) : arg));
  const rcpt = (...args: string[]) => runRcpt(['bulk', ...named(args)], world.env);
  const release = () => void (world.server(SILENT).behaviour = plain);
  const plainServer = () => world.server('plain.mailworld');
  const timesProbed = (email: string) =>
    plainServer().commands.filter((line) => line.includes(`<${email}>`)).length;
  /** Waits until the progress says that this number of rows is written. */
  const written = async (rows: number, file = 'out.csv.progress') => {
    const rowsIn = (text: string) => (JSON.parse(text) as { rows: number }).rows;
    while ((await folder.text(file).then(rowsIn, () => 0)) < rows) await pause(5);
  };
  const aProcess = (...args: string[]) =>
    RcptProcess.run(['../bin/rcpt.js', 'bulk', ...named(args)], world.env);

  it('queries mail servers itself, and keeps the input order', async () => {
    await folder.writeList(['jane@plain.mailworld', 'no address', 'nobody@plain.mailworld']);
    const { code, out, err } = await rcpt('list.csv', '-o', 'out.csv');
    expect([code, err]).toEqual([0, COMMAS]);
    expect(out).toContain('3 rows');
    expect(await folder.rows('out.csv')).toMatchObject([
      { id: '0', email: 'jane@plain.mailworld', reason: 'accepted_email' },
      { id: '1', email: 'no address', reason: 'invalid_syntax' },
      { id: '2', email: 'nobody@plain.mailworld', reason: 'mailbox_not_found' },
    ]);
  });

  it('verifies a mailbox once with --unique canonical', async () => {
    await folder.writeList(['jane+a@outlook.com', 'Jane@outlook.com', 'jane@plain.mailworld']);
    const { code } = await rcpt('list.csv', '--unique', 'canonical', '-o', 'out.csv');
    expect(code).toBe(0);
    const canonical_email = 'jane@outlook.com';
    expect(await folder.rows('out.csv')).toMatchObject([
      { normalized_email: 'jane+a@outlook.com', canonical_email, duplicate_of: '' },
      { normalized_email: 'Jane@outlook.com', canonical_email, duplicate_of: 'jane+a@outlook.com' },
      { reason: 'accepted_email', canonical_email: '', duplicate_of: '' },
    ]);
  });

  it('writes a row as soon as those before it are done, before the list ends', async () => {
    const emails = ['jane@plain.mailworld', 'first@plain.mailworld', `x@${SILENT}`, 'no address'];
    await folder.writeList(emails);
    const running = rcpt('list.csv', '-o', 'out.csv');
    await written(2);
    expect(await folder.rows('out.csv.part')).toMatchObject([
      { id: '0', reason: 'accepted_email' },
      { id: '1', reason: 'mailbox_not_found' },
    ]);
    expect(await folder.names()).not.toContain('out.csv');
    release();
    expect(await running).toMatchObject({ code: 0, err: READ });
    expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual(emails);
  });

  it('verifies the other rows of a sorted list while one server is silent', async () => {
    const behind = Array.from({ length: 40 }, (_, n) => `behind${n}@plain.mailworld`);
    const emails = [...Array.from({ length: 60 }, (_, n) => `p${n}@${SILENT}`), ...behind];
    await folder.writeList(emails);
    const connected = world.server(SILENT).connections;
    const running = rcpt('list.csv', '-o', 'out.csv');
    await plainServer().until(() => behind.every((email) => timesProbed(email) > 0));
    // The first connection has not ended.
    expect(world.server(SILENT)).toMatchObject({ connections: connected + 1, openConnections: 1 });
    expect(await folder.text('out.csv.part')).toBe('');
    release();
    expect(await running).toMatchObject({ code: 0, err: READ });
    expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual(emails);
  });

  it('interrupted after row 3 of 20, it verifies only the rest when it is run again', async () => {
    const emails = Array.from({ length: 20 }, (_, n) =>
      n === 3 ? `x@${SILENT}` : `row${n}@plain.mailworld`,
    );
    await folder.writeList(emails);
    const first = aProcess('list.csv', '-o', 'out.csv');
    await written(3);
    await first.end('SIGINT');
    expect(first.child.signalCode).toBe('SIGINT');
    expect(first.stderr).toBe(`${COMMAS}rcpt: interrupted; run the same command again, which resumes\n`);
    release();
    expect(await rcpt('list.csv', '-o', 'out.csv')).toMatchObject({ code: 0, err: READ });
    expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual(emails);
    expect(emails.slice(0, 3).map(timesProbed)).toEqual([1, 1, 1]);
    expect(emails.slice(4).map(timesProbed)).not.toContain(0);
    expect(await folder.names()).toEqual(['list.csv', 'out.csv']);
  });

  it('names the statuses of the summary in their order, with their reasons', async () => {
    await folder.writeList(['no address', 'jane@plain.mailworld', 'no at']);
    const { out } = await rcpt('list.csv', '-o', 'out.csv');
    expect(out.split('\n').slice(1)).toEqual([
      ...['  deliverable 1', '    accepted_email 1', '  undeliverable 2', '    invalid_syntax 2', ''],
    ]);
  });

  it('killed in the middle of a row, it has every row once when it is run again', async () => {
    const emails = Array.from({ length: 1_000 }, (_, n) => (n === 500 ? `x@${SILENT}` : `no address ${n}`));
    await folder.writeList(emails);
    const args = ['list.csv', '-o', 'out.csv', '--column', 'email'];
    const first = rcpt(...args);
    await written(500);
    const kill = await folder.snapshot();
    release();
    await first;
    await kill();
    await appendFile(folder.in('out.csv.part'), '500,"x@sil');
    expect(await rcpt(...args, '--force')).toMatchObject({ code: 0, err: READ });
    expect((await folder.rows('out.csv')).map(({ email }) => email)).toEqual(emails);
    expect(await folder.names()).toEqual(['list.csv', 'out.csv']);
  });

  it('starts again if the rows of an interrupted run are lost', async () => {
    await folder.writeList(['no address', 'none either', `x@${SILENT}`]);
    const first = rcpt('list.csv', '-o', 'out.csv');
    await written(2);
    const kill = await folder.snapshot();
    release();
    await first;
    await kill();
    // As after a crash of the system: the progress is newer than the rows.
    await folder.write('out.csv.part', 'id,email');
    expect(await rcpt('list.csv', '-o', 'out.csv')).toMatchObject({ code: 0, err: READ });
    expect(await folder.rows('out.csv')).toMatchObject([{ id: '0' }, { id: '1' }, { id: '2' }]);
  });

  it('says that nothing was written when it is interrupted before the first row', async () => {
    await folder.writeList([`x@${SILENT}`]);
    const connected = world.server(SILENT).connections;
    const cli = aProcess('list.csv');
    await world.server(SILENT).until(({ connections }) => connections > connected);
    await cli.end('SIGTERM');
    expect(cli.child.signalCode).toBe('SIGTERM');
    expect(cli.stderr).toBe(`${COMMAS}rcpt: interrupted; nothing was written\n`);
  });

  it('verifies an address once that occurs in two spellings', async () => {
    const emails = ['twice@plain.mailworld', 'no address', 'Twice@Plain.mailworld'];
    await folder.writeList(emails);
    expect(await rcpt('list.csv', '-o', 'out.csv')).toMatchObject({ code: 0, err: READ });
    const probes = plainServer().commands.filter((line) => /RCPT TO:<twice@/i.test(line));
    expect(probes).toHaveLength(1);
    expect((await folder.rows('out.csv')).map(({ reason }) => reason)).toEqual([
      'mailbox_not_found',
      'invalid_syntax',
      'mailbox_not_found',
    ]);
  });

  it('reads a pipe and writes rows to standard output before the list ends', async () => {
    const cli = aProcess('-');
    cli.child.stdin?.end(`email\nno address\nno at\nx@${SILENT}\n`);
    while (cli.stdout.split('\n').length < 4) await pause(5);
    expect(cli.stdout).toMatch(/^email,status,.*\nno address,undeliverable,.*\nno at,undeliverable,.*\n$/);
    release();
    expect(await cli.exit()).toBe(0);
    expect(cli.stdout.split('\n')).toHaveLength(5);
    expect(cli.stderr).toMatch(/^rcpt: read with .*\nstandard output: 3 rows\n/);
  });

  it('writes only rows to standard output with -o -, and the summary to standard error', async () => {
    await folder.writeList(['no address']);
    const { code, out, err } = await rcpt('list.csv', '-o', '-', '--json');
    expect(code).toBe(0);
    expect(out).toMatch(/^id,email,status.*\n0,no address,undeliverable,.*\n$/);
    expect(JSON.parse(err)).toMatchObject({ output: null, rows: 1, written: 1 });
    expect(await folder.names()).toEqual(['list.csv']);
  });

  it('ends with a sentence when standard output is closed', async () => {
    await folder.writeList([...Array.from({ length: 20_000 }, (_, n) => `no address ${n}`)]);
    const cli = aProcess('list.csv', '-o', '-', '--column', 'email');
    cli.child.stdout?.once('data', () => cli.child.stdout?.destroy());
    expect(await cli.exit()).toBe(70);
    expect(cli.stderr).toBe(`${COMMAS}rcpt: standard output was closed before the list ended\n`);
  });

  it('does not replace a device or a folder', async () => {
    await folder.writeList(['no address']);
    for (const output of ['/dev/null', '/dev'])
      expect(await rcpt('list.csv', '-o', output, '--force')).toMatchObject({
        code: EX_USAGE,
        err: `rcpt: ${output} is no file; name a file, or write to standard output with -o -\n`,
      });
  });

  it('takes --column, --only and --no-formula-guard as with a service', async () => {
    await folder.write('two.csv', 'a;b\nx@x.com;no address\n@1;\u2007also none\nz;jane@plain.mailworld\n');
    const refused = await rcpt('two.csv');
    expect(refused).toMatchObject({
      code: EX_DATAERR,
      err: expect.stringMatching(/Name one with --column\.\n$/),
    });
    expect(await folder.names()).toEqual(['two.csv']);
    const args = ['--column', 'b', '--only', 'undeliverable', '--no-formula-guard'];
    expect(await rcpt('two.csv', ...args)).toMatchObject({ code: 0, err: READ });
    expect((await folder.text('two.verified.csv')).match(/^.*?;.*?;\w+/gm)).toEqual([
      'a;b;status',
      'x@x.com;no address;undeliverable',
      '@1;\u2007also none;undeliverable',
    ]);
  });

  it('writes a header with the surplus cells of any row', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `no address ${n},${n === 250 ? '1,x' : '1'}\n`);
    await folder.write('ragged.csv', `email,id\n${rows.join('')}`);
    expect(await rcpt('ragged.csv', '--column', 'email')).toMatchObject({ code: 0, err: READ });
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

  it('writes the header of a list without rows, so that a scheduled run does not fail', async () => {
    await folder.write('list.csv', 'id;email\n');
    expect(await rcpt('list.csv')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 rows'),
      err: READ,
    });
    expect(await folder.text('list.verified.csv')).toMatch(/^id;email;status;.*\n$/);
    expect(await folder.names()).toEqual(['list.csv', 'list.verified.csv']);
  });

  it.each([
    ['nothing', '', /empty/],
    ['no address', 'email\nAnna\nBen\nCem\n', /in the column "email".* with commas .*--column.*--delimiter/],
    ['a text in front of each address', 'a:b@x.com\nb:c@x.com\n', /Each cell has ":" .*with --delimiter/],
    ['an open quote', 'a,email\n1,b@x.com\n2,"c@x.com\n', /Line 3: .*column 2 \("email"\).*--no-quotes/],
  ])('ends with 65 for a list with %s, and leaves no file', async (_, text, words) => {
    await folder.write('list.csv', text);
    expect(await rcpt('list.csv')).toMatchObject({ code: EX_DATAERR, err: expect.stringMatching(words) });
    expect(await folder.names()).toEqual(['list.csv']);
  });
});
