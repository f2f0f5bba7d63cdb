import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { gunzipped } from './content-coding.js';

const MAX = 200_000_000;

/** Pieces of `bytes`, and how many of them were read. */
function aSource(bytes: Buffer, size: number) {
  const source = { read: 0, isClosed: false, chunks: pieces() };
  async function* pieces() {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        source.read++;
        yield bytes.subarray(at, at + size);
        await Promise.resolve();
      }
    } finally {
      source.isClosed = true;
    }
  }
  return source;
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

describe('a compressed body', () => {
  const text = Buffer.from(randomBytes(100_000).toString('hex'));

  it.each([1, 1_000, 1_000_000])('is decompressed from pieces of %p bytes', async (size) => {
    const compressed = gzipSync(size === 1 ? text.subarray(0, 3_000) : text);
    const expected = size === 1 ? text.subarray(0, 3_000) : text;
    expect((await all(gunzipped(aSource(compressed, size).chunks, MAX))).equals(expected)).toBe(true);
  });

  it('may have several members (RFC 1952)', async () => {
    const compressed = Buffer.concat([gzipSync('email\n'), gzipSync('a@example.com\n')]);
    expect((await all(gunzipped(aSource(compressed, 7).chunks, MAX))).toString()).toBe(
      'email\na@example.com\n',
    );
  });

  it('counts against the limit when it is decompressed, and is read no further', async () => {
    const source = aSource(gzipSync(text), 1_000);
    await expect(all(gunzipped(source.chunks, 50_000))).rejects.toThrow(
      'at most 50000 bytes, counted without gzip',
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isClosed).toBe(true);
    expect(source.read).toBeLessThan(80);
  });

  it('that grows more than a hundredfold is rejected', async () => {
    const bomb = gzipSync(Buffer.alloc(MAX / 2));
    const source = aSource(bomb, 1_000);
    let size = 0;
    const reading = (async () => {
      for await (const chunk of gunzipped(source.chunks, MAX)) size += chunk.length;
    })();
    await expect(reading).rejects.toThrow(/more than 100 times as large without gzip/);
    // zlib reads ahead by some chunks, by more in newer versions of Node.
    expect(size).toBeLessThan(MAX / 4);
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.isClosed).toBe(true);
  });

  it('may be small and grow more', async () => {
    const rows = Buffer.from('jane@example.com\n'.repeat(50_000));
    expect(rows.length / gzipSync(rows).length).toBeGreaterThan(100);
    expect(await all(gunzipped(aSource(gzipSync(rows), 100).chunks, MAX))).toHaveLength(rows.length);
  });

  it.each([
    ['no gzip data', Buffer.from('email\na@example.com\n'), /not gzip data/],
    ['nothing', Buffer.alloc(0), /not gzip data/],
    ['incomplete', gzipSync(text).subarray(0, -9), /incomplete/],
    [
      'followed by text',
      Buffer.concat([gzipSync('email\n'), Buffer.from('more')]),
      /not gzip data|behind the end/,
    ],
    ['followed by zeroes', Buffer.concat([gzipSync('email\n'), Buffer.alloc(9)]), /behind the end/],
  ])('that is %s is refused, however it is cut', async (_, bytes, words) => {
    for (const size of [7, 100_000])
      await expect(all(gunzipped(aSource(bytes, size).chunks, MAX))).rejects.toThrow(words);
  });

  it('reports an error of the source', async () => {
    const failing = (async function* () {
      yield gzipSync(text).subarray(0, 5_000);
      await Promise.resolve();
      throw new Error('aborted');
    })();
    await expect(all(gunzipped(failing, MAX))).rejects.toThrow('aborted');
  });
});
