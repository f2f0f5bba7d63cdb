import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretKeys } from './secret-keys.js';

/** The bytes 0 to 31. */
const COUNTING = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64');

describe('SecretKeys', () => {
  it('hashes an address as it always did: what is stored must be found again', () => {
    // HKDF-SHA-256 (RFC 5869, no salt, info "rcpt address hash") and HMAC-SHA-256, worked out with another library.
    expect(new SecretKeys([COUNTING]).hashAddress('jane@example.com').toString('hex')).toBe(
      'cdf838f5e3349e5c8822e02320c9ede1e32948a742f08b81ccfda7f7a7ff6f9e',
    );
  });

  it('hashes two addresses apart, and one address apart under two keys', () => {
    const keys = new SecretKeys([COUNTING]);
    const others = new SecretKeys([randomBytes(32).toString('base64')]);
    const hashes = [keys.hashAddress('a@x.com'), keys.hashAddress('b@x.com'), others.hashAddress('a@x.com')];
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(3);
  });

  it('uses the first key of several', () => {
    const rotated = new SecretKeys([COUNTING, randomBytes(32).toString('base64')]);
    expect(rotated.hashAddress('a@x.com')).toEqual(new SecretKeys([COUNTING]).hashAddress('a@x.com'));
  });

  it('does not depend on how the base64 is padded', () => {
    const bare = new SecretKeys([COUNTING.replace(/=+$/, '')]);
    expect(bare.hashAddress('a@x.com')).toEqual(new SecretKeys([COUNTING]).hashAddress('a@x.com'));
  });

  it('is not made without a key', () => {
    expect(() => new SecretKeys([])).toThrow('at least one key');
  });
});
