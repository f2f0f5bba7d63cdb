import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert';
import { cellsByName } from '../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListOptions } from '../../kernel/list-files/list-format.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import { lineOf, MAX_ROW_LINES } from '../../kernel/list-files/row-lines.js';
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
  const columns = header.columns ?? [];
  const rows = entries.map(({ email, ref }) => [
    email,
    Array.isArray(ref) ? { ...cellsByName(columns, ref as string[]) } : ref,
  ]);
  return { ...header, rows, emails: entries.map(({ email }) => email) };
}

const ADDRESSES = Array.from({ length: 150 }, (_, n) => `a${n}@example.com`);

describe('the column with the addresses', () => {
  it.each(['jane.example.com', 'jane@', '@', 'jane doe@example.com', 'a@b@c'])(
    'of a list without a header may begin with the bad address %j',
    async (bad) => {
      expect((await read([bad, ...ADDRESSES].join('\n'))).emails).toEqual([bad, ...ADDRESSES]);
      const { rows, columns } = await read([bad, ...ADDRESSES].map((email) => `Jane,${email},x`).join('\n'));
      expect(rows[0]).toEqual([bad, { column_1: 'Jane', column_3: 'x' }]);
      expect(columns).toEqual(['column_1', 'email', 'column_3']);
    },
  );

  it('may have bad addresses in the sample, with and without a header', async () => {
    const emails = ADDRESSES.map((email, n) =>
      n % 3 === 0 ? (['', 'n/a', 'jane.example.com'][(n % 9) / 3] ?? '') : email,
    );
    for (const header of ['', 'Nr;Kontakt;Ort\n']) {
      const text = header + emails.map((email, n) => `${n};${email};Köln`).join('\n');
      expect((await read(text)).emails).toEqual(emails);
    }
  });

  it('is found under a German header with a bad address', async () => {
    const text =
      'Vorname;Nachname;E-Mail-Adresse;Straße\nJürgen;Groß;juergen.example.com;Am Büchel 1\nEva;Öz;eva@example.com;\nUwe;Maß;uwe@example.com;\n';
    const { rows, columns } = await read(text);
    expect(columns).toEqual(['Vorname', 'Nachname', 'E-Mail-Adresse', 'Straße']);
    expect(rows).toEqual([
      ['juergen.example.com', { Vorname: 'Jürgen', Nachname: 'Groß', Straße: 'Am Büchel 1' }],
      ['eva@example.com', { Vorname: 'Eva', Nachname: 'Öz', Straße: '' }],
      ['uwe@example.com', { Vorname: 'Uwe', Nachname: 'Maß', Straße: '' }],
    ]);
  });

  it('may be filled in few rows only', async () => {
    expect((await read('id,contact\n1,\n2,\n3,a@example.com\n4,\n')).emails).toEqual([
      '',
      '',
      'a@example.com',
      '',
    ]);
  });

  it('may be the only column if most cells contain an @', async () => {
    const emails = ['Jane <jane@example.com>', 'joe@x@example.com', 'eve', 'Eve <eve@example.com>'];
    expect((await read(`People\n${emails.join('\n')}`)).emails).toEqual(emails);
  });

  it.each<[string, string, ListOptions, string[]]>([
    ['a number', 'a@x.com,b@x.com\nc@x.com,d@x.com', { column: '2' }, ['b@x.com', 'd@x.com']],
    ['a number, with a header', 'from,to\na@x.com,b@x.com', { column: '2' }, ['b@x.com']],
    ['a generated name', 'a@x.com,b@x.com', { column: 'column_2' }, ['b@x.com']],
    ['a name that is a number', '2,1\na@x.com,b@x.com', { column: '1' }, ['b@x.com']],
    ['a name with a space, in any case', 'id,Work Email\n1,a@x.com', { column: 'work email' }, ['a@x.com']],
    ['a number, and no header', 'from,to\na,b', { column: '2', header: false }, ['to', 'b']],
    ['a number, and a header', '1,2\na,b', { column: '2', header: true }, ['b']],
    ['no header', 'email\na@x.com', { header: false }, ['email', 'a@x.com']],
    ['a header', 'a@x.com\nb@x.com', { header: true }, ['b@x.com']],
  ])('may be given as %s', async (_, text, options, emails) => {
    expect((await read(text, options)).emails).toEqual(emails);
  });
});

describe('the columns of a list', () => {
  it('are numbered if the header has no name, or one several times', async () => {
    const { columns, rows } = await read('email;Name;Name;;Name_2;\na@x.com;1;2;3;4;\n');
    expect(columns).toEqual(['email', 'Name', 'Name_3', 'column_4', 'Name_2', 'column_6']);
    expect(rows).toEqual([['a@x.com', { Name: '1', Name_3: '2', column_4: '3', Name_2: '4', column_6: '' }]]);
  });

  it('get a name for the surplus cells of any row, and are empty in rows with fewer cells', async () => {
    const short = ADDRESSES.map((email) => `${email}\n`).join('');
    const { columns, rows } = await read(`email,name\n${short}b@x.com,Bea,,x\nc@x.com,Cem,,\n`);
    expect(columns).toEqual(['email', 'name', 'column_3', 'column_4']);
    expect(rows[0]).toEqual(['a0@example.com', { name: '', column_3: '', column_4: '' }]);
    expect(rows.slice(-2)).toEqual([
      ['b@x.com', { name: 'Bea', column_3: '', column_4: 'x' }],
      ['c@x.com', { name: 'Cem', column_3: '', column_4: '' }],
    ]);
  });

  it('may be those of a CRM: 300, with 16 kB in a row', async () => {
    const names = ['Record ID', 'Email', ...Array.from({ length: 298 }, (_, n) => `Custom property ${n}`)];
    const cells = [
      '1',
      'a@x.com',
      ...Array.from({ length: 298 }, (_, n) => (n === 7 ? 'ü'.repeat(8_000) : '')),
    ];
    const { columns, rows } = await read(`${names.join(',')}\n${cells.join(',')}\n`);
    expect(columns).toEqual(names);
    expect(rows).toEqual([['a@x.com', expect.objectContaining({ 'Custom property 7': 'ü'.repeat(8_000) })]]);
  });

  it.each([
    ['sep=;', '"Doe, Jane";a@x.com\r\n', ';'],
    ['SEP=|', 'Jane|a@x.com\r\n', '|'],
    ['"sep=\t"', 'Jane\ta@x.com\r\n', '\t'],
  ])('are separated by the delimiter that a first line names: %j', async (first, row, delimiter) => {
    const read_ = await read(`\ufeff${first}\r\nName${delimiter}Email\r\n${row}`);
    expect(read_).toMatchObject({ delimiter, columns: ['Name', 'Email'], emails: ['a@x.com'] });
    await expect(read(`sep=;\nemail;x\na@x.com;"x`)).rejects.toThrow(/^Line 3:/);
  });

  it('are read with different line ends in one file', async () => {
    expect((await read('email,x\r\na@x.com,1\nb@x.com,2\r\n')).emails).toEqual(['a@x.com', 'b@x.com']);
  });
});

describe('the encoding of a list', () => {
  const win1252 = Buffer.from(
    'Name;Email\nJ\xfcrgen M\xfcller \x80 \x84x\x93;a@x.com\nZo\xeb;b@x.com\nZo\xeb',
    'latin1',
  );

  it('is Windows-1252 if the first character that is not ASCII is not UTF-8, however the bytes arrive', async () => {
    for (let size = 1; size <= win1252.length; size++) {
      const { rows, bom } = await read(win1252, {}, size);
      assert.deepEqual(
        [rows, bom],
        [
          [
            ['a@x.com', { Name: 'Jürgen Müller € „x“' }],
            ['b@x.com', { Name: 'Zoë' }],
            ['', { Name: 'Zoë' }],
          ],
          false,
        ],
      );
    }
  });

  it('is UTF-8 otherwise, however the bytes arrive, and a later line that is not is named', async () => {
    const text = 'Name,Email\nZoë 😀 €,a@x.com\n';
    for (let size = 1; size < 40; size++) {
      assert.deepEqual((await read(text, {}, size)).rows, [['a@x.com', { Name: 'Zoë 😀 €' }]]);
      const mixed = Buffer.concat([Buffer.from(`${text}x,b@x.com\n`), win1252]);
      await assert.rejects(read(mixed, {}, size), /Line 5 is not UTF-8/);
    }
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])(
    'may be %s with a byte order mark, which is noted',
    async (encoding) => {
      const bytes = Buffer.from('\ufeffName,Email\nZoë,a@x.com\n', encoding === 'utf-8' ? 'utf8' : 'utf16le');
      const { rows, bom } = await read(encoding === 'utf-16be' ? bytes.swap16() : bytes, {}, 1);
      expect([rows, bom]).toEqual([[['a@x.com', { Name: 'Zoë' }]], true]);
    },
  );

  it('may be given', async () => {
    const bytes = Buffer.from('Name;Email\n\xcf\xe5\xf2\xf0;a@x.com\n', 'latin1');
    expect((await read(bytes, { encoding: 'windows-1251' })).rows).toEqual([['a@x.com', { Name: 'Петр' }]]);
    await expect(read(bytes, { encoding: 'utf-8' })).rejects.toThrow('The list is not UTF-8.');
  });
});

it('A list with cells of many characters is read in small batches', async () => {
  const row = `a@x.com,${'x'.repeat(16_000)}\n`;
  const sizes = [];
  async function* pieces() {
    yield await Promise.resolve(Buffer.from('email,x\n'));
    for (let n = 0; n < 500; n++) yield Buffer.from(row);
  }
  for await (const { entries } of csvList(pieces())) sizes.push(entries.length);
  expect(Math.max(...sizes)).toBeLessThan(70);
});

describe('a cell with more than an address', () => {
  const CELLS = [
    'Jane <jane@example.com>',
    'mailto:joe@example.com',
    'a@example.com ::: b@example.com',
    'ann@example.com',
  ];
  const list = ['Name;Mail', ...CELLS.map((cell, n) => `${n};${cell}`)].join('\n');

  it('is verified as it is', async () => {
    const { emails, rows } = await read(list);
    expect(emails).toEqual(CELLS);
    expect(rows[0]).toEqual([CELLS[0], { Name: '0' }]);
  });

  it('is a column beside its first address if that is extracted', async () => {
    const { emails, rows } = await read(list, { extracts: true });
    expect(emails).toEqual(['jane@example.com', 'joe@example.com', 'a@example.com', 'ann@example.com']);
    expect(rows).toEqual([
      ['jane@example.com', { Name: '0', Mail: CELLS[0] }],
      ['joe@example.com', { Name: '1', Mail: CELLS[1] }],
      ['a@example.com', { Name: '2', Mail: CELLS[2] }],
      ['ann@example.com', { Name: '3' }],
    ]);
  });

  it('stays in a list of one column too', async () => {
    const { rows } = await read(['Mail', ...CELLS].join('\n'), { extracts: true });
    expect(rows[0]).toEqual(['jane@example.com', { Mail: CELLS[0] }]);
    expect(rows[3]).toEqual(['ann@example.com', null]);
  });
});

describe('a row of too many cells', () => {
  it.each([
    ['a header of one name', `email,${'a,'.repeat(16_000)}\njane@example.com`],
    ['a line of commas', `email\njane@example.com\n${','.repeat(32_000)}`],
    ['a line of commas that is too long', `email\njane@example.com\n${','.repeat(262_000)}`],
    ['a first line of commas', `${','.repeat(262_000)}\njane@example.com`],
  ])('is refused: %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow(MalformedList);
  });
});

it('columns of one name are told apart by a number', async () => {
  const { columns } = await read(`email${',a'.repeat(4)},a_3,,\njane@example.com,1,2,3,4,5,6`);
  expect(columns).toEqual(['email', 'a', 'a_2', 'a_4', 'a_5', 'a_3', 'column_7', 'column_8']);
});

describe('the lines of rows', () => {
  const linesOf = async (text: string, options: ListOptions = {}) => {
    const { format, emails } = await read(text, options, 7);
    return emails.map((_, index) => lineOf(format?.lines ?? [], index));
  };
  const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'];

  it('are those of the file, behind titles, empty lines and cells of several lines', async () => {
    const list = ['People;', '', 'Mail;Note', `${a};x`, '', '', `${b};"one\ntwo"`, `${c};z`, '', ''];
    expect(await linesOf(list.join('\n'))).toEqual([4, 7, 9]);
    expect(await linesOf(list.join('\r\n'))).toEqual([4, 7, 9]);
    expect(await linesOf(`sep=;\nMail;Note\n${a};x\n\n${b};y`)).toEqual([3, 5]);
  });

  it('are those that entries have', async () => {
    const text = `Mail\n${a}\n\n${b}\n${c}\n`;
    const entries = [];
    async function* body() {
      yield await Promise.resolve(Buffer.from(text));
    }
    for await (const piece of csvList(body(), { lines: true })) entries.push(...piece.entries);
    expect(await linesOf(text)).toEqual(entries.map(({ line }) => line));
  });

  it('need one number if all follow each other, and are not known behind a hundred gaps', async () => {
    expect((await read(['Mail', ...ADDRESSES].join('\n'))).format?.lines).toEqual([{ index: 0, line: 2 }]);
    const { format } = await read(['Mail', ...ADDRESSES].join('\n\n'));
    expect(format?.lines).toHaveLength(MAX_ROW_LINES + 1);
    const lines = await linesOf(['Mail', ...ADDRESSES].join('\n\n'));
    expect(lines.slice(98, 102)).toEqual([199, 201, null, null]);
  });
});
