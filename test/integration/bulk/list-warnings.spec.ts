import { describe, expect, it } from '@jest/globals';
import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import { isEmpty } from '../../../src/kernel/list-files/list-entry.js';
import { emptyHeader } from '../../../src/kernel/list-files/list-format.js';
import { ListWarnings } from '../../../src/kernel/list-files/list-warnings.js';
import { readList } from '../../../src/platform/list-files/read-list.js';

async function* piece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  await Promise.resolve();
}

/** The warnings of a CSV, as `code line`. */
async function warningsOf(list: string | Buffer): Promise<string[]> {
  const warnings = new ListWarnings();
  let header = emptyHeader();
  const bytes = Buffer.isBuffer(list) ? list : Buffer.from(list);
  for await (const found of readList('csv', piece(bytes), { lines: true })) {
    header = found.header;
    for (const entry of found.entries) {
      const parsed = parseEmailAddress(entry.email);
      const error = parsed.ok ? null : parsed.error;
      warnings.add(entry, header, isEmpty(entry.email) ? 'empty' : error);
    }
  }
  return warnings.list(header).map(({ code, line }) => `${code} ${line}`);
}

const GOOD: Record<string, string | Buffer> = {
  'a row that is one cell in quotation marks':
    'name;email\n"A;anna@p.example"\nB;ben@p.example\nC;jane@p.example\n',
  'a title and notes above the header':
    'Notes:\n"This file lists, and so on."\n\nName,Email Address,Company\nAnna,anna@p.example,"Diaz, Ruiz"\n',
  'names with commas between semicolons':
    'Kunde (Name, Vorname);E-Mail (privat, sonst dienstlich)\nBerg, Anna;anna@p.example\nOtto, Ben;ben@p.example\n',
  'numbers with a comma, and no header': 'anna@p.example;12,50\nben@p.example;7,90\n',
  'vertical bars': 'name|email|city\nAnna Berg|anna@p.example|Bonn\nBen|ben@p.example|Kiel\n',
  'quotation marks that spreadsheets write':
    'name,email\n"ANNA "ANNIE" BERG","anna@p.example"\n"Ben \\"B\\" Otto",ben@p.example\n',
  'cells of several lines': 'name,note,email\r\nA,"two\r\nlines; anna@old.example",anna@p.example\r\n',
  'padded cells': 'email        ,name     \nanna@p.example   , Anna \nben@p.example    ,  Ben\n',
  'a final semicolon in each line': 'email;\nanna@p.example;\nben@p.example;\n',
  'the mark of a spreadsheet, and rare local parts':
    'email\n\'anna@p.example\na|b@p.example\na#b@p.example\no\'neil@p.example\n"""a;b""@p.example"\n',
  'UTF-16 with tabs': Buffer.from('\ufeffName\tE-Mail\r\nAnna\tanna@p.example\r\n', 'utf16le'),
  'UTF-16 without a mark': Buffer.from('Name;E-Mail\r\nAnna;anna@p.example\r\n', 'utf16le').swap16(),
  'Windows-1252': Buffer.from('Name;E-Mail\nM\xfcller;anna@p.example\n', 'latin1'),
  'empty lines': 'email\n\n\nanna@p.example\n\n',
  'a named delimiter': 'sep=;\nname;email\nA;anna@p.example\n',
};

const WRONG: Record<string, [list: string | Buffer, ...warnings: string[]]> = {
  'rows with another delimiter, the address first': [
    'email;name\nanna@p.example;A\nben@p.example,B\njane@p.example;C\n',
    'wrong_delimiter 3',
  ],
  'rows with another delimiter, the address behind the name': [
    'name;email;city\nA;anna@p.example;Bonn\nB,ben@p.example,Kiel\nC;jane@p.example;Ulm\n',
    'wrong_delimiter 3',
  ],
  'a tab in a cell': [
    'email\nAnna\tanna@p.example\nben@p.example\njane@p.example\nzoe@p.example\n',
    'wrong_delimiter 2',
  ],
  'the header again': ['Name,E-Mail,Ort\nA,anna@p.example,B\nName,E-Mail,Ort\n', 'repeated_header 3'],
  'the header in other languages': [
    'email\nanna@p.example\nAdresse e-mail\nben@p.example\nCorreo electrónico\n',
    'repeated_header 3',
  ],
  'a header of its own, in other letters': [
    'Kontaktweg\nanna@p.example\n KONTAKTWEG \n',
    'repeated_header 3',
  ],
  'names, schemes, brackets and final marks around addresses': [
    'name,email\nA,anna@p.example\nB,"Otto, Ben <ben@p.example>"\nC,"ben@p.example;"\nD,mailto:zoe@p.example\n',
    'wrapped 3',
  ],
  'several addresses in a cell': [
    'name,email\nA,anna@p.example\nB,"ben@p.example\nzoe@p.example"\nC,ben@p.example/zoe@p.example\n',
    'several_addresses 3',
  ],
  'several addresses with names': [
    'email\nanna@p.example\n"Ben <ben@p.example>, Zoe <zoe@p.example>"\n',
    'several_addresses 3',
  ],
  'numbers and errors of a spreadsheet': [
    'id,email\n1,anna@p.example\n2,4.91512E+11\n3,#N/A\n',
    'not_an_address 3',
    'empty_rows 4',
  ],
  'a row behind a cell of several lines': [
    'name,note,email\nA,"two\nlines",anna@p.example\nB,x,no idea\n',
    'not_an_address 4',
  ],
  'a row behind lines that end in CR, in UTF-16': [
    Buffer.from('\ufeffName\tE-Mail\rAnna\tanna@p.example\rBen\tBen Otto\r', 'utf16le'),
    'not_an_address 3',
  ],
  'several kinds, in the order of lines': [
    'email;name\nno idea;A\n;B\n"Ben <ben@p.example>";C\nanna@p.example,zoe@p.example;D\nemail;name\nnone;E\n',
    'not_an_address 2',
    'empty_rows 3',
    'wrapped 4',
    'several_addresses 5',
    'repeated_header 6',
  ],
  'notes below the rows': [
    'Name,Email\nAnna,anna@p.example\n\n"For internal use, do not pass on"\n"Questions to Anna, or to ben"\n',
    'empty_rows 4',
  ],
  'rows whose address is in another column': [
    'Name,E-mail 1 - Value,E-mail 2 - Value\nAnna,anna@p.example,\nBen,,"ben@p.example, zoe@p.example"\n',
    'empty_rows 3',
  ],
};

describe('the warnings of a list', () => {
  it.each(Object.keys(GOOD))('are none for a good one with %s', async (name) => {
    expect(await warningsOf(GOOD[name]!)).toEqual([]);
  });

  it.each(Object.keys(WRONG))('name what is wrong, and its first line: %s', async (name) => {
    const [list, ...warnings] = WRONG[name]!;
    expect(await warningsOf(list)).toEqual(warnings);
  });
});
