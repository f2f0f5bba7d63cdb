import { expect, it } from '@jest/globals';
import type { ListOptions } from '../../kernel/list-files/list-format.js';
import { csvList } from './csv-list.js';

async function read(body: string | Buffer, options: ListOptions = {}): Promise<string[]> {
  async function* bytes() {
    yield await Promise.resolve(Buffer.from(body));
  }
  const emails: string[] = [];
  for await (const { entries } of csvList(bytes(), options))
    emails.push(...entries.map(({ email }) => email));
  return emails;
}

const PEOPLE = ['anna@example.com', 'ben@example.com'];

it('a character that cannot be the delimiter is to be a comma', async () => {
  const list = 'Anna→anna@example.com\nBen→ben@example.com\n';
  await expect(read(list)).rejects.toThrow('put a comma in its place');
  expect(await read(list.replaceAll('→', ','))).toEqual(PEOPLE);
});

/** Lists that are refused, a part of the sentence with an advice, and the options by which it is followed. */
it.each<[advice: string, list: string | Buffer, options: ListOptions]>([
  ['Name the delimiter with delimiter', '17#anna@example.com\n18#ben@example.com\n', { delimiter: '#' }],
  ['Name the delimiter with delimiter', 'Anna anna@example.com\nBen ben@example.com\n', { delimiter: ' ' }],
  ['Name the delimiter with delimiter', 'Anna/anna@example.com\nBen/ben@example.com\n', { delimiter: '/' }],
  [
    'Name one with email_column',
    'from,to\nanna@example.com,x@example.com\nben@example.com,y@example.com\n',
    { column: 'from' },
  ],
  [
    'Name one with email_column',
    'from,to\nx@example.com,anna@example.com\ny@example.com,ben@example.com\n',
    { column: '2' },
  ],
  ['quotes=false', 'email,name\nanna@example.com,"Anna\nben@example.com,Ben\n', { quotes: false }],
  [
    'name its encoding with encoding',
    Buffer.concat([Buffer.from('email,n\nanna@example.com,ë\nben@example.com,'), Buffer.from('eb0a', 'hex')]),
    { encoding: 'windows-1252' },
  ],
])('following "%s" works', async (advice, list, options) => {
  await expect(read(list)).rejects.toThrow(advice);
  expect(await read(list, options)).toEqual(PEOPLE);
});
