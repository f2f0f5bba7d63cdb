import { describe, expect, it } from '@jest/globals';
import { digestOf, looksLikeKey, newSecretKey } from './secret-key.js';

/**
 * Computed with another library: the CRC-32 of all but the last six characters is 1306658702, and 1·62⁵
 * + 26·62⁴ + 26·62³ + 37·62² + 38·62 + 22 is that.
 */
const EXAMPLE = 'rcpt_live_0123456789ABCDEFGHIJKLMNOPQRSTUV1QQbcM';
/** Here the CRC-32 is 2506161: 0·62⁵ + 0·62⁴ + 10·62³ + 31·62² + 59·62 + 59. */
const PADDED = 'rcpt_live_0000000000000000000000000000008900AVxx';

describe('a new key', () => {
  it.each(['rcpt_live_', 'rcpt_test_', 'rcpt_pub_'] as const)(
    'has %s, 32 characters and 6 of checksum',
    (prefix) => {
      const key = newSecretKey(prefix);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(looksLikeKey(key)).toBe(true);
    },
  );

  it('is unique, and uses the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, () => newSecretKey('rcpt_live_'));
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.flatMap((key) => [...key.slice(10, 42)])).size).toBe(62);
  });
});

describe('looksLikeKey', () => {
  it.each([EXAMPLE, PADDED, 'rcpt_test_abcdefghijklmnopqrstuvwxyzABCDEF3WzLt4'])('accepts %s', (key) => {
    expect(looksLikeKey(key)).toBe(true);
  });

  it('refuses a key with any one character changed', () => {
    const taken = [...EXAMPLE].filter((character, at) => {
      const other = character === 'x' ? 'y' : 'x';
      return looksLikeKey(EXAMPLE.slice(0, at) + other + EXAMPLE.slice(at + 1));
    });
    expect(taken).toEqual([]);
  });

  it('refuses a key with two neighbours swapped', () => {
    for (let at = 10; at < EXAMPLE.length - 1; at++) {
      const swapped =
        EXAMPLE.slice(0, at) + EXAMPLE.charAt(at + 1) + EXAMPLE.charAt(at) + EXAMPLE.slice(at + 2);
      expect([at, swapped !== EXAMPLE && looksLikeKey(swapped)]).toEqual([at, false]);
    }
  });

  it.each([
    '',
    'rcpt_live_',
    EXAMPLE.slice(0, -1),
    `${EXAMPLE}0`,
    ` ${EXAMPLE}`,
    `${EXAMPLE}\n`,
    EXAMPLE.toUpperCase(),
    EXAMPLE.replace('live', 'test'),
    EXAMPLE.replace('live', 'prod'),
    `rcpt_live_${'é'.repeat(38)}`,
    'x'.repeat(100_000),
  ])('refuses %j', (text) => {
    expect(looksLikeKey(text)).toBe(false);
  });
});

it.each([
  'rcpt_prod_0123456789ABCDEFGHIJKLMNOPQRSTUV07QEGM',
  'rcpt_live_0123456789ABCDEFGHIJKLMNOPQRSTU1jv34a',
  'rcpt_live_0123456789ABCDEFGHIJKLMNOPQRST-V372avI',
])('refuses another format with a correct checksum: %s', (text) => {
  expect(looksLikeKey(text)).toBe(false);
});

it('the SHA-256 of the whole key is stored', () => {
  expect(digestOf(EXAMPLE).toString('hex')).toBe(
    '5a708ff99f52c988b85e18e41d7d7e318b31d99950e7e26d83d6a80a9dc4f374',
  );
});
