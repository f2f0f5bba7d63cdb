import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ListFolder } from '../../support/processes/list-folder.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_DATAERR = 65;
/** The first line: how the list was read. */
const READ: unknown = expect.stringMatching(/^rcpt: read with .*; .*; addresses are in ".*"; .*\n$/);

/** The lists have no valid address, so that nothing is sent. */
describe('a list that rcpt bulk reads without a service', () => {
  let folder: ListFolder;
  beforeEach(async () => {
    folder = await ListFolder.make();
  });
  afterEach(() => folder.remove());

  const named = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? folder.in(arg) : arg));
  const rcpt = (...args: string[]) => runRcpt(['bulk', ...named(args)], {});

  it('converts a list from the encoding that --encoding names', async () => {
    await folder.write('list.csv', Buffer.from('name,email\nM\u00fcller,no address\n', 'latin1'));
    expect(await rcpt('list.csv', '--encoding', 'windows-1252')).toMatchObject({ code: 0, err: READ });
    expect(await folder.rows('list.verified.csv')).toMatchObject([{ name: 'M\u00fcller' }]);
    expect(await rcpt('list.csv', '--force', '--encoding', 'utf-8')).toMatchObject({
      code: EX_DATAERR,
      err: expect.stringContaining('The list is not UTF-8'),
    });
    expect(await rcpt('list.csv', '--encoding', 'excel')).toMatchObject({
      code: EX_USAGE,
      err: expect.stringMatching(/Allowed choices are .*windows-1252/),
    });
  });

  it.each([
    ['UTF-8', Buffer.from('\ufeffemail\nno address\n')],
    ['UTF-16', Buffer.from('\ufeffemail\nno address\n', 'utf16le')],
  ])('begins the output with a byte order mark if the list does, in %s', async (_, bytes) => {
    await folder.write('list.csv', bytes);
    expect(await rcpt('list.csv')).toMatchObject({ code: 0, err: READ });
    expect(await folder.text('list.verified.csv')).toMatch(/^\ufeffemail,status,/);
  });

  it('writes rows without an address in their places, without a verdict, and counts them apart', async () => {
    await folder.write('list.csv', 'id,email\n1,no at\n2,\n3, \n4,no address\n');
    const { code, out } = await rcpt('list.csv', '--column', 'email', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: 4, empty: 2, written: 4, by_status: { undeliverable: 2 } });
    const rows = await folder.rows('list.verified.csv');
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['1', 'undeliverable'],
      ['2', ''],
      ['3', ''],
      ['4', 'undeliverable'],
    ]);
    const again = await rcpt('list.csv', '--column', 'email', '-o', 'again.csv');
    expect(again.out).toContain('  no address 2');
  });

  it('takes the delimiter, the line of the header, and quotes as characters', async () => {
    await folder.write('list.csv', 'Title\n\na~"b~mail\n1~"x~no address\n');
    const args = ['--delimiter', '~', '--header-line', '3', '--no-quotes', '--json'];
    const { code, out, err } = await rcpt('list.csv', ...args, '--column', 'mail');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      format: { delimiter: '~', header: 3, column: 'mail', encoding: 'utf-8' },
    });
    expect(await folder.text('list.verified.csv')).toMatch(
      /^a~"""b"~mail~status~.*\n1~"""x"~no address~unde/,
    );
  });
});
