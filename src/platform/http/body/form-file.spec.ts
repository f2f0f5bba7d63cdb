import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { isMultipart, openFormFile } from './form-file.js';

const TYPE = 'multipart/form-data; boundary=b';
const FILE = 'form-data; name="file"; filename="list.csv"';

/** A part of a form. */
const part = (disposition: string, content: string, ...headers: string[]) =>
  `--b\r\n${[`Content-Disposition: ${disposition}`, ...headers].join('\r\n')}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`;

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  await Promise.resolve();
}

async function read(text: string, size = 100_000, type = TYPE) {
  const { name, type: partType, bytes } = await openFormFile(type, pieces(text, size));
  let content = '';
  for await (const chunk of bytes) content += chunk.toString('latin1');
  return { name, type: partType, content: Buffer.from(content, 'latin1').toString() };
}

describe('a form with one file', () => {
  it.each([1, 5, 100_000])('is read as a stream from pieces of %p bytes', async (size) => {
    const text = form(part(FILE, 'email\r\n--cä@example.com', 'Content-Type: Text/CSV; charset=utf-8'));
    expect(await read(`preamble\r\n${text}epilogue`, size)).toEqual({
      name: 'list.csv',
      type: 'text/csv',
      content: 'email\r\n--cä@example.com',
    });
  });

  it.each([
    ['two files', form(part(FILE, 'a'), part(FILE, 'b'))],
    ['a field before the file', form(part('form-data; name="name"', 'Spring'), part(FILE, 'a'))],
    ['a field after the file', form(part(FILE, 'a'), part('form-data; name="name"', 'Spring'))],
    ['no file', form(part('form-data; name="name"', 'Spring'))],
    ['no parts', '--b--\r\n'],
  ])('is refused with a sentence if it has %s', async (_, text) => {
    for (const size of [3, 100_000])
      await expect(read(text, size)).rejects.toThrow(/one file and nothing else/);
  });

  it.each([
    ['incomplete in the file', form(part(FILE, 'email\na')).slice(0, -12)],
    ['without its last boundary', part(FILE, 'a')],
    ['incomplete in a header', '--b\r\nContent-Dispo'],
    ['with a header without end', `--b\r\nContent-Disposition: ${'x'.repeat(100_000)}`],
    ['no form', 'email\na@example.com\n'],
  ])('is refused with a sentence if it is %s', async (_, text) => {
    for (const size of [3, 100_000])
      await expect(read(text, size)).rejects.toThrow(/The form is incomplete|one file/);
  });

  it('is refused with a sentence without a boundary', async () => {
    await expect(read('', 1, 'multipart/form-data')).rejects.toThrow(/names its boundary/);
  });

  it('closes its source when its file is not read', async () => {
    let isClosed = false;
    const source = (async function* () {
      try {
        yield* pieces(form(part(FILE, 'x'.repeat(1_000_000))), 1_000);
      } finally {
        isClosed = true;
      }
    })();
    const { bytes } = await openFormFile(TYPE, source);
    for await (const chunk of bytes) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(true);
  });

  it('reports an error of the source', async () => {
    const failing = (async function* () {
      yield Buffer.from(part(FILE, 'email'));
      await Promise.resolve();
      throw new Error('aborted');
    })();
    const { bytes } = await openFormFile(TYPE, failing);
    const reading = Readable.from(bytes).toArray();
    await expect(reading).rejects.toThrow(/incomplete/);
  });
});

it.each([
  ['multipart/form-data; boundary=x', true],
  ['Multipart/Form-Data', true],
  ['multipart/form-datax', false],
  ['multipart/mixed; boundary=x', false],
])('%s is a form: %p', (type, expected) => {
  expect(isMultipart(type)).toBe(expected);
});
