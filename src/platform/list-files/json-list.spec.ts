import { expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InvalidRequest } from '../../kernel/errors.js';
import { emptyHeader, type ReadOptions } from '../../kernel/list-files/list-format.js';
import { jsonList } from './json-list.js';

const ENTRIES = 200_000;
const ENTRIES_IN_PIECE = 1_000;

/** Bytes in use after a collection of garbage. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  // The flag is that of all threads.
  setFlagsFromString('--no-expose-gc');
  return process.memoryUsage().heapUsed;
}

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from('{"emails":["first@example.com"');
  for (let from = 0; from < ENTRIES; from += ENTRIES_IN_PIECE) {
    const entries = Array.from(
      { length: ENTRIES_IN_PIECE },
      (_, n) => `{"email":"user${from + n}@example.com"}`,
    );
    yield Buffer.from(`,${entries.join(',')}`);
    await Promise.resolve();
  }
  yield Buffer.from(']}');
}

it('keeps no entry of a list in memory after it was read', async () => {
  let count = 0;
  let atFirst = 0;
  for await (const { entries } of jsonList(pieces())) {
    count += entries.length;
    if (atFirst === 0 && count > 0) atFirst = heapUsed();
    else if (count === ENTRIES + 1 && entries.length > 0)
      expect(heapUsed() - atFirst).toBeLessThan(ENTRIES * 10);
  }
  expect(count).toBe(ENTRIES + 1);
});

/** The error for a body that goes on with addresses. */
async function errorFor(start: string, options: ReadOptions = {}): Promise<unknown> {
  async function* long(): AsyncGenerator<Buffer> {
    yield Buffer.from(start);
    for (let n = 0; n < 100_000; n++) yield Buffer.from('"u@example.com",');
  }
  const batches = jsonList(long(), options);
  try {
    while ((await batches.next()).done !== true);
  } catch (error) {
    return error instanceof InvalidRequest ? error.fieldErrors[0] : error;
  }
  return null;
}

it.each([
  ['{"addresses":[', '/addresses', 'unknown_member'],
  ['{"emails":{"list":[', '/emails', 'invalid_type'],
  ['{"name":[', '/name', 'invalid'],
  ['{"emails":["jane@example.com"],"emails":[', '/emails', 'repeated'],
  ['{"emails":["jane@example.com",[[[', '/emails/1', 'invalid_type'],
])('rejects %s… for its first fault, before its end', async (start, pointer, code) => {
  expect(await errorFor(start)).toMatchObject({ pointer, code });
});

const NAMES: ReadOptions = { json: { list: 'input', others: /^(?:webhook|proxy|\w_method)$/ } };

it.each([
  ['["jane@example.com",', '', 'invalid_type'],
  ['{"emails":[', '/emails', 'unknown_member'],
  ['{"name":"x",', '/name', 'unknown_member'],
  ['{"input":{"list":[', '/input', 'invalid_type'],
  ['{"input":["jane@example.com",{"email":"joe@example.com"},', '/input/1', 'invalid_type'],
  ['{"input":["jane@example.com"],"input":[', '/input', 'repeated'],
  ['{"proxy":{},"proxy":{', '/proxy', 'repeated'],
  [`{"webhook":${'{"a":'.repeat(8)}`, '/webhook', 'too_big'],
  [`{${[...'abcdefghijklmnopqrstuvwxyzABCDE'].map((n) => `"${n}_method":1`).join()},`, '', 'too_big'],
  ['{"proxy":[', '/proxy', 'too_big'],
])('rejects %s… with other names too', async (start, pointer, code) => {
  expect(await errorFor(start, NAMES)).toMatchObject({ pointer, code });
});

it('returns the members that the names ask for, whole, and reads the list under its name', async () => {
  const others = {
    proxy: { host: 'h', port: 1080 },
    webhook: { each: { extra: { a: [{}] } } },
    a_method: null,
  };
  const body = Buffer.from(JSON.stringify({ ...others, input: ['jane@example.com', ''] }));
  let header = emptyHeader();
  const found: unknown[] = [];
  for await (const piece of jsonList(Readable.from([body]), NAMES)) {
    found.push(...piece.entries);
    header = piece.header;
  }
  expect(found).toEqual(['jane@example.com', ''].map((email) => ({ email, ref: null })));
  expect(header).toEqual({ ...emptyHeader(), others });
});

it.each([1, 2, 7, 1_000])(
  'reads every entry and each of its characters, in pieces of %i bytes',
  async (size) => {
    const texts = ['\ufeff', 'ja\ufeffne@example.com', '\ufeffa\ufeff', '"\\', '\ud800', '\u0000', 'ü😀', ''];
    const entries = texts.map((text) => ({ email: text, ref: text === '' ? null : text }));
    const escaped = JSON.stringify(entries).replace(/\ufeff/g, (_, at) =>
      at % 2 === 0 ? '\\uFEFF' : '\ufeff',
    );
    for (const body of [
      `{"emails":${escaped}}`,
      `{"emails":${escaped},"refresh":true}`,
      `{"emails":["a",null]}`,
    ]) {
      const bytes = Buffer.from(body);
      async function* inPieces(): AsyncGenerator<Buffer> {
        for (let from = 0; from < bytes.length; from += size)
          yield await Promise.resolve(bytes.subarray(from, from + size));
      }
      const found: unknown[] = [];
      const reading = (async () => {
        for await (const piece of jsonList(inPieces())) found.push(...piece.entries);
      })();
      if (body.includes('null]')) await expect(reading).rejects.toBeInstanceOf(InvalidRequest);
      else {
        await reading;
        expect(found).toEqual(entries);
      }
    }
  },
);
