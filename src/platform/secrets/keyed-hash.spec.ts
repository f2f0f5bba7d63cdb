import { describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { KeyedHash } from './keyed-hash.js';

const KEY = Buffer.from('key of the test, 32 bytes long..');
const hmacOf = (text: string) => createHmac('sha256', KEY).update(text, 'utf8').digest('hex');

describe('KeyedHash', () => {
  it.each([
    ['an empty text', ''],
    ['an address', 'jane@example.com'],
    ['non-ASCII characters of two, three and four bytes', 'jané@例え.テスト 𝕁'],
    ['a lone surrogate', 'a\ud800b'],
    ['the longest text that is hashed without createHmac', '例'.repeat(1_024)],
    ['a longer text', '例'.repeat(1_025)],
  ])('returns HMAC-SHA-256 of %s', (_, text) => {
    expect(new KeyedHash(KEY).hex(text)).toBe(hmacOf(text));
  });

  it('returns the HMAC of RFC 4231, test cases 1 and 2', () => {
    expect(new KeyedHash(Buffer.alloc(20, 0x0b)).hex('Hi There')).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    );
    expect(new KeyedHash(Buffer.from('Jefe')).hex('what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('returns the same hash after a longer text', () => {
    const keyed = new KeyedHash(KEY);
    keyed.hex('a text that is longer than the next one');
    expect(keyed.hex('short')).toBe(hmacOf('short'));
  });

  it('rejects a key that is longer than a block', () => {
    expect(() => new KeyedHash(randomBytes(65))).toThrow('at most 64 bytes');
  });
});
