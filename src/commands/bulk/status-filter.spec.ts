import { expect, it } from '@jest/globals';
import { filterResults } from './status-filter.js';

async function filtered(pieces: string[]): Promise<string> {
  const text: string[] = [];
  const bytes = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
    await Promise.resolve();
  })();
  for await (const row of filterResults(bytes, ['risky', 'unknown'])) text.push(row);
  return text.join('');
}

const TABLE = [
  'name;"input_status; old";status;reason;score;rule\n',
  '"Doe; ""J""";x;risky;role;85;\n',
  '"two\nlines";risky;deliverable;accepted_email;95;\n',
  ';;;;;\n',
  'Zoë;;unknown;timeout;30;"a;b"\n',
].join('');

it.each([
  ['one piece', [TABLE]],
  ['pieces of one character', [...TABLE]],
])('keeps the header and the rows with these statuses unchanged, from %s', async (_, pieces) => {
  const lines = TABLE.split(/(?<=\n)/);
  expect(await filtered(pieces)).toBe([lines[0], lines[1], lines.at(-1)].join(''));
});

it('keeps the byte order mark of the results', async () => {
  const lines = TABLE.split(/(?<=\n)/);
  expect(await filtered([`\ufeff${TABLE}`])).toBe(['\ufeff', lines[0], lines[1], lines.at(-1)].join(''));
});
