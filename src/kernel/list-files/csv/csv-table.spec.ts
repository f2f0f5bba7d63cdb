import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RUNS } from '../../../../test/support/verification/property-runs.js';
import { tableOf } from '../../../../test/support/lists/read-table.js';
import { emailNameRank } from './email-column-names.js';

describe('the column with the addresses', () => {
  it.each<[string, string, number]>([
    [
      'numbered columns',
      'Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value\nA,* Work,anna@people.example ::: ben@people.example,,\nB,*,ben@people.example,Home,jane@people.example\n',
      2,
    ],
    [
      'numbered columns with few addresses',
      `Name,E-mail 1 - Value,E-mail 2 - Value\nB,ben@people.example,jane@people.example\n${'C,,\n'.repeat(9)}`,
      1,
    ],
    [
      'columns of an address book',
      'E-Mail 2: Adresse;E-Mail: Typ;E-Mail: Adresse\nb@c.example;SMTP;anna@people.example\n',
      2,
    ],
    [
      'another column named for the mail',
      'Email Opt-in;Email Status;Kontakt\nyes;ok;anna@people.example\nno;ok;ben@people.example\n',
      2,
    ],
    ['a column that is named wrongly', 'Email;Kontakt\nyes;anna@people.example\nno;ben@people.example\n', 1],
    [
      'an owner',
      'Email Owner,Email\nsales@crm.example,anna@people.example\nsales@crm.example,ben@people.example\n',
      1,
    ],
    ['no address in the sample', `First Name,Email Address,Company\n${'P0,,Co\n'.repeat(120)}`, 1],
    ['wrapped addresses', 'id,contact\n1,Anna <anna@people.example>\n2,Ben <ben@people.example>\n', 1],
  ])('is found: %s', (_, text, column) => {
    expect(tableOf(text)).toMatchObject({ column, trouble: null });
  });

  it.each([
    'Email',
    'E-Mail',
    'e_mail',
    'EMAIL ADDRESS',
    'Email-Adresse',
    'E-Mail (privat, sonst geschäftlich)',
    'Work Email',
    'Primary E-mail',
    'E-mail 1 - Value',
    'Email 2',
    'E-Mail 2: Adresse',
    'Adresse e-mail',
    'Adresse électronique e-mail',
    'Courriel',
    'Adresse de messagerie',
    'Correo electrónico',
    'Correo',
    'Endereço de e-mail',
    'Correio eletrônico',
    'Posta elettronica',
    'Indirizzo e-mail',
    'E-mailadres',
    'E-post',
    'E-postadress',
    'E-posta',
    'Sähköposti',
    'Netfang',
    'Adres e-mail',
    'Poczta elektroniczna',
    'E-mailová adresa',
    'E-mail cím',
    'E-pasts',
    'El. paštas',
    'Электронная почта',
    'Эл. почта',
    'Е-мейл',
    'Имейл',
    'Електронна пошта',
    'Ηλεκτρονικό ταχυδρομείο',
    'メールアドレス',
    'Eメール',
    '电子邮件',
    '邮箱',
    '電子郵件',
    '이메일',
    '이메일 주소',
    'البريد الإلكتروني',
    'דוא"ל',
    'ईमेल',
    'อีเมล',
    'Kunden-E-Mail',
    'Kontakt E-Mail',
  ])('may be named %s', (name) => {
    expect(emailNameRank(name)).toBeGreaterThan(0);
    // Although no cell is an address.
    expect(tableOf(`A;${name};C\nx;n/a;y\nz;;w\n`)).toMatchObject({ column: 1, header: ['A', name, 'C'] });
  });

  it.each([
    'Email Status',
    'Email opt-in',
    'E-mail 1 - Label',
    'E-mail Type',
    'Email verified',
    'E-Mail-Typ',
    'Emails sent',
    'Name',
    'Mailing street',
    'id,email',
    'name|email',
    'anna@people.example',
    'Postal code',
    'Vorname',
    'Email hash',
  ])('is not named %s', (name) => {
    expect(emailNameRank(name)).toBe(0);
  });

  it.each<[string, string, string]>([
    ['no column', 'name,city\nJane,Bonn\n', 'no_column'],
    ['several columns', 'from,to\na@x.example,b@x.example\nc@x.example,d@x.example\n', 'several_columns'],
  ])('is not guessed: %s', (_, text, trouble) => {
    expect(tableOf(text)).toMatchObject({ column: null, trouble });
  });

  it.each([':', '#', '/', '=', '~', '^', '!', '*', '\u0001', '¦', '::', ' - ', ' / ', ' '])(
    'has no other text in each cell, with %j between',
    (separator) => {
      for (const header of ['', `name${separator}email\n`]) {
        const rows = ['Anna', 'Ben', 'Cem'].map(
          (name) => `${name}${separator}${name.toLowerCase()}@people.example\n`,
        );
        const swapped = rows.map((row) => row.trim().split(separator).reverse().join(separator));
        for (const text of [rows.join(''), swapped.join('\n')])
          expect(tableOf(header + text)).toMatchObject({
            trouble: 'separator',
            separator: separator.trim()[0] ?? ' ',
          });
      }
    },
  );

  it.each([
    ['one scheme', 'mailto:anna@people.example\nmailto:ben@people.example\n'],
    ['names', 'Anna <anna@people.example>\nBen <ben@people.example>\n'],
    ['one such address', 'a/b@people.example\nanna@people.example\nben@people.example\n'],
    ['a single row', 'sales/de@people.example\n'],
    ['subaddresses', 'a+news@people.example\nb+news@people.example\n'],
  ])('is not refused for %s', (_, text) => {
    expect(tableOf(text)).toMatchObject({ column: 0, trouble: null });
  });
});

it('The column of addresses is found in any table of people', () => {
  const word = fc.constantFrom(
    'Anna',
    'Ben',
    'Çağla',
    'Otto',
    'Dr.',
    '李',
    "O'Neil",
    'von',
    '12',
    '3,50',
    '',
    'x; y',
    'a, b',
    'a|b',
    '24" rack',
  );
  const text = fc.array(word, { maxLength: 3 }).map((words) => words.join(' '));
  const address = fc
    .tuple(
      fc.constantFrom('anna', 'ben.otto', 'c_d', "o'neil", 'x+tag', 'jörg'),
      fc.constantFrom('people.example', 'mail.people.example', 'müller.example'),
    )
    .map((parts) => parts.join('@'));
  const table = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    width: fc.integer({ min: 1, max: 6 }),
    at: fc.integer({ min: 0, max: 5 }),
    rows: fc.array(fc.tuple(address, fc.array(text, { minLength: 6, maxLength: 6 })), {
      minLength: 2,
      maxLength: 30,
    }),
    hasQuotes: fc.boolean(),
    name: fc.constantFrom('E-Mail', 'Email address', 'Kontakt', 'correo', null),
    titles: fc.constantFrom(
      '',
      'Kontakte 2026\n\n',
      'Report, made today; by us\n\n',
      'Notes:\n"A long note, with commas."\n\n',
    ),
    end: fc.constantFrom('\n', '\r\n'),
  });
  fc.assert(
    fc.property(table, ({ delimiter, width, at, rows, hasQuotes, name, titles, end }) => {
      const column = at % width;
      const cellOf = (cell: string) =>
        hasQuotes || [delimiter, '"'].some((special) => cell.includes(special))
          ? `"${cell.replaceAll('"', '""')}"`
          : cell;
      const header = Array.from({ length: width }, (_, n) =>
        n === column ? (name ?? '') : `Spalte ${'abcdef'[n]}`,
      );
      const cells = rows.map(([email, others]) =>
        others.slice(0, width).map((other, n) => (n === column ? email : other)),
      );
      const lines = [...(name === null ? [] : [header]), ...cells].map((row) =>
        row.map(cellOf).join(delimiter),
      );
      // A title as wide as the table, above a table without names, may as well be its header.
      const start = width === 1 || (name === null && titles.includes(delimiter)) ? '' : titles;
      const found = tableOf(start.replaceAll('\n', end) + lines.join(end) + end);
      expect(found).toMatchObject({
        ...(width > 1 && { delimiter, column }),
        header: name === null ? null : header,
        emails: rows.map(([email]) => email),
      });
    }),
    RUNS,
  );
});
