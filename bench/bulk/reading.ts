import type { ListPiece } from '../../src/kernel/list-files/list-format.js';
import { readListInThread } from '../../src/platform/list-files/read-list-in-thread.js';
import { readList } from '../../src/platform/list-files/read-list.js';
import { ReaderThreads } from '../../src/platform/threads/reader-threads.js';
import { SystemClock } from '../../src/platform/time/system-clock.js';

const PIECE_BYTES = 65_536;
const ROUNDS = 3;

/**
 * µs of reading a row of a list, by format: the best of three rounds after one that compiles the code; and in a thread,
 * as the service reads, with the time that this takes of the thread that serves requests.
 */
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
  const threads = new ReaderThreads(new SystemClock());
  const table = [];
  for (const [format, text] of Object.entries(lists)) {
    const body = Buffer.from(text);
    const list = format === 'JSON' ? 'json' : 'csv';
    const here = () => readList(list, inPieces(body), {});
    const reading = { team: '', format: list, options: {} } as const;
    const inThread = () => readListInThread(threads, reading, inPieces(body));
    const alone = await best(here, rows);
    const threaded = await best(inThread, rows);
    table.push({
      format,
      'µs per row': alone.micros,
      'µs per row in a thread': threaded.micros,
      'of these here': threaded.activeMicros,
    });
  }
  threads.onApplicationShutdown();
  return table;
}

async function best(read: () => AsyncIterable<ListPiece>, rows: number) {
  const times = [];
  const active = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    let count = 0;
    for await (const { entries } of read()) count += entries.length;
    if (count !== rows) throw new Error(`${count} of ${rows} rows were read`);
    if (round === 0) continue;
    times.push(performance.now() - began);
    active.push(performance.eventLoopUtilization(before).active);
  }
  const perRow = (all: readonly number[]) => ((Math.min(...all) * 1000) / rows).toFixed(2);
  return { micros: perRow(times), activeMicros: perRow(active) };
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
  await Promise.resolve();
}
