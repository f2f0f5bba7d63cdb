import { csvList } from '../../src/platform/list-files/csv-list.js';
import { jsonList } from '../../src/platform/list-files/json-list.js';
import { emptyHeader } from '../../src/kernel/list-files/list-format.js';

const PIECE_BYTES = 65_536;
const ROUNDS = 3;

/** µs of reading a row of a list, by format: the best of three rounds after one that compiles the code. */
export async function readings(rows: number): Promise<Record<string, string>[]> {
  const numbers = Array.from({ length: rows }, (_, n) => n);
  const lists = {
    CSV: ['id;name;email;city', ...numbers.map((n) => `${n};Name ${n};user${n}@example.com;Bonn`)].join('\n'),
    'CSV in quotes': [
      '"id","name","email"',
      ...numbers.map((n) => `"${n}","Name, ""${n}""","user${n}@example.com"`),
    ].join('\n'),
    JSON: JSON.stringify({ emails: numbers.map((n) => ({ email: `user${n}@example.com`, ref: `${n}` })) }),
  };
  const table = [];
  for (const [format, text] of Object.entries(lists)) {
    const body = Buffer.from(text);
    const read = format === 'JSON' ? jsonList : csvList;
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const began = performance.now();
      let count = 0;
      for await (const entries of read(inPieces(body), emptyHeader())) count += entries.length;
      if (count !== rows) throw new Error(`${count} of ${rows} rows were read`);
      if (round > 0) times.push(performance.now() - began);
    }
    table.push({ format, 'µs per row': ((Math.min(...times) * 1000) / rows).toFixed(2) });
  }
  return table;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
  await Promise.resolve();
}
