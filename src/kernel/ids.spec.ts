import { describe, expect, it } from '@jest/globals';
import { isId, newId } from './ids.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits behind the prefix. */
function bitsOf(id: string): bigint {
  const text = id.slice(id.indexOf('_') + 1);
  return [...text].reduce((bits, character) => (bits << 5n) | BigInt(CROCKFORD.indexOf(character)), 0n);
}

const now = () => performance.timeOrigin + performance.now();

describe('newId', () => {
  it('returns the prefix and 26 characters of Crockford’s base32', () => {
    expect(newId('job')).toMatch(/^job_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(newId('team')).toMatch(/^team_/);
  });

  it('encodes a UUID with version 7 and the RFC 9562 variant', () => {
    for (let i = 0; i < 100; i++) {
      const bits = bitsOf(newId('key'));
      expect([(bits >> 76n) & 0xfn, (bits >> 62n) & 0b11n]).toEqual([7n, 0b10n]);
    }
  });

  it('contains the time of creation in milliseconds', () => {
    const before = Math.floor(now());
    const at = Number(bitsOf(newId('key')) >> 80n);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Math.floor(now()));
  });

  it('returns ids that sort by creation time', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      ids.push(newId('evt'));
      const made = Math.floor(now());
      while (Math.floor(now()) === made) await new Promise((next) => setImmediate(next));
    }
    expect([...ids].sort()).toEqual(ids);
  });

  it('returns unique ids', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('usr'));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('isId', () => {
  it('accepts the result of newId', () => {
    expect(isId('key', newId('key'))).toBe(true);
  });

  it.each([
    '',
    'key_',
    'key_none',
    'team_01kaaaaaaaaaaaaaaaaaaaaaaa',
    `key_${'0'.repeat(25)}u`,
    `key_${'0'.repeat(25)}\0`,
  ])('rejects %j', (text) => {
    expect(isId('key', text)).toBe(false);
  });
});
