import { describe, expect, it } from '@jest/globals';
import { isEmpty } from '../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListOptions } from '../../kernel/list-files/list-format.js';
import { csvList } from './csv-list.js';

/** @param size of the pieces in which the body arrives. */
async function read(body: string | Buffer, options: ListOptions = {}, size = Infinity) {
  const bytes = Buffer.from(body);
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += size)
      yield await Promise.resolve(bytes.subarray(from, from + size));
  }
  let header = emptyHeader();
  const entries = [];
  for await (const piece of csvList(pieces(), options)) {
    entries.push(...piece.entries);
    header = piece.header;
  }
  return { ...header, entries, emails: entries.map(({ email }) => email) };
}

const PEOPLE = ['anna@example.com', 'ben@example.com', 'carla@example.com'];

describe('rows of one cell in quotation marks', () => {
  const quoted = (line: string) => `"${line.replaceAll('"', '""')}"`;
  const NAMES = ['Name', 'Given Name', 'E-Mail'];
  const rows = PEOPLE.map((email, at) => ['Berg', at === 1 ? '"Ben, Dr."' : 'Anna', email]);

  describe.each([',', ';', '\t', '|'])('with %j between the cells', (delimiter) => {
    const lines = rows.map((row) => row.join(delimiter).replace(', Dr', `${delimiter}Dr`));
    const header = NAMES.join(delimiter);

    it.each<[string, string]>([
      ['all of them', [header, ...lines].map(quoted).join('\n')],
      ['behind a byte order mark, with CRLF', `\uFEFF${[header, ...lines].map(quoted).join('\r\n')}\r\n`],
      ['under a header that is none', [header, ...lines.map(quoted)].join('\n')],
      ['some of them', [header, lines[0], quoted(lines[1] ?? ''), lines[2]].join('\n')],
    ])('are divided: %s', async (_, text) => {
      for (const size of [Infinity, 7]) {
        const { emails, columns, entries } = await read(text, {}, size);
        expect([columns, emails]).toEqual([NAMES, PEOPLE]);
        expect(entries[1]?.ref).toEqual(['Berg', `Ben${delimiter}Dr.`.replace(/^Ben,/, 'Ben,'), null]);
      }
    });
  });

  it('are divided without a header, and behind the sample', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `Berg,a${n}@example.com`);
    const { emails } = await read(many.map(quoted).join('\n'));
    expect(emails).toEqual(many.map((line) => line.slice('Berg,'.length)));
    const late = ['name,email', ...many.slice(0, 200), quoted('Otto,late@example.com')].join('\n');
    expect((await read(late)).emails.at(-1)).toBe('late@example.com');
  });

  it('are divided where the delimiter, the header or the column is named', async () => {
    const text = [NAMES.join(','), ...rows.map((row) => row.join(','))].map(quoted).join('\n');
    for (const options of [
      { delimiter: ',' },
      { column: 'E-Mail' },
      { header: 1 },
      { column: '3', header: true },
    ])
      expect((await read(text, options)).emails).toEqual(PEOPLE);
  });

  it.each([
    [
      'a list of addresses',
      'email\n"a@example.com, b@example.com"\n"c@example.com, d@example.com"',
      'email',
      0,
    ],
    ['names of one column', 'Name\n"Berg, Anna <anna@example.com>"\n"Au, Ben <ben@example.com>"', 'Name', 0],
  ])('stay one cell if they are %s', async (_, text, column) => {
    const { columns, emails } = await read(text);
    expect(columns).toEqual([column]);
    expect(emails).toHaveLength(2);
  });

  it('stay one cell if they do not fit the table', async () => {
    const { entries } = await read(
      'name,email\nAnna,anna@example.com\n"Otto, Ben, Dr."\nCarla,carla@example.com',
    );
    expect(entries[1]).toEqual({ email: '', ref: ['Otto, Ben, Dr.', null] });
  });
});

describe('marks of the end of a file', () => {
  it.each([
    ['Ctrl-Z behind the last address', 'email\na@example.com\r\nb@example.com\x1a'],
    ['Ctrl-Z and a line break', 'email\na@example.com\r\nb@example.com\x1a\r\n'],
    ['Ctrl-Z on a line of its own', 'email\r\na@example.com\r\nb@example.com\r\n\x1a'],
    ['NULs behind the last line', `email\na@example.com\nb@example.com\n${'\0'.repeat(5_000)}`],
    ['NULs behind the last address', `email\na@example.com\nb@example.com${'\0'.repeat(300)}`],
    ['Ctrl-D', 'a@example.com\nb@example.com\n\x04'],
    ['Ctrl-Z between two files', 'a@example.com\n\x1a\nb@example.com\x1a\x1a'],
  ])('are no part of an address, and no row: %s', async (_, text) => {
    for (const size of [Infinity, 1])
      expect((await read(text, {}, size)).emails).toEqual(['a@example.com', 'b@example.com']);
    expect((await read(text, { encoding: 'windows-1252' })).emails).toHaveLength(2);
  });

  it('are no part of the last cell of another column', async () => {
    const { entries } = await read('email,city\na@example.com,Kiel\x1a');
    expect(entries).toEqual([{ email: 'a@example.com', ref: [null, 'Kiel'] }]);
  });

  it('make no text of a file that is none', async () => {
    await expect(
      read(Buffer.from('email\na\0b\xe4@example.com', 'latin1'), { encoding: 'windows-1252' }),
    ).rejects.toThrow('not a text');
  });
});

describe('a text that stands for nothing', () => {
  it.each([
    'NULL',
    '\\N',
    'N/A',
    '#N/A',
    'nan',
    '-',
    'none',
    '(null)',
    'n.a.',
    '#NV',
    '—',
    ' null ',
    'undefined',
  ])('is an empty cell in the column of the addresses: %j', (text) => expect(isEmpty(text)).toBe(true));

  it.each(['none@example.com', 'null@', 'nobody', '@', 'jane.example.com', 'n/a@example.com', 'NULLS'])(
    'is not meant by %j',
    (text) => expect(isEmpty(text)).toBe(false),
  );

  it('hides no column, and other columns keep it', async () => {
    const text = `id,kontakt,name\n${PEOPLE.map((email, at) => `${at},${email},-`).join('\n')}${'\n7,NULL,none'.repeat(90)}`;
    const { emails, columns, entries } = await read(text);
    expect(columns).toEqual(['id', 'kontakt', 'name']);
    expect(emails.slice(2, 4)).toEqual(['carla@example.com', 'NULL']);
    expect(entries[3]?.ref).toEqual(['7', null, 'none']);
  });
});

describe('lines above the addresses of a single column', () => {
  it.each([
    ['a type', '#TYPE Microsoft.Exchange.Mailbox\n"PrimarySmtpAddress"', 'PrimarySmtpAddress'],
    ['a title', 'Members of the club\nKontakt', 'Kontakt'],
    ['two titles', 'Export\nMembers of the club\nKontakt', 'Kontakt'],
    ['a title and an empty line', 'Members of the club\n\nKontakt', 'Kontakt'],
    ['a title with a comma', 'Members, all of them\nKontakt', 'Kontakt'],
  ])('are titles, but for the last: %s', async (_, lines, column) => {
    const { columns, emails } = await read(`${lines}\n${PEOPLE.join('\n')}\n`);
    expect([columns, emails]).toEqual([[column], PEOPLE]);
  });

  it('are rows below a usual name', async () => {
    const { columns, emails } = await read(`Title\nEmail\nnot known\n${PEOPLE.join('\n')}`);
    expect([columns, emails]).toEqual([['Email'], ['not known', ...PEOPLE]]);
  });

  it.each(['jane.example.com', 'jane doe@example.com', '@'])(
    'are rows from a wrong address on: %j',
    async (bad) => {
      const { columns, emails } = await read(`Title\nKontakt\n${bad}\n${PEOPLE.join('\n')}`);
      expect([columns, emails]).toEqual([['Kontakt'], [bad, ...PEOPLE]]);
    },
  );
});
