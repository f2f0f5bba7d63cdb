import { describe, expect, it } from '@jest/globals';
import { createPublicKey, randomBytes } from 'node:crypto';
import { SecretKeys } from './secret-keys.js';

/** The bytes 0 to 31. */
const COUNTING = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64');

describe('SecretKeys', () => {
  it('returns a stable hash of an address, because hashes are stored', () => {
    // HKDF-SHA-256 (RFC 5869, no salt, info "rcpt address hash") and HMAC-SHA-256, computed with another library.
    expect(new SecretKeys([COUNTING]).hashAddress('jane@example.com').toString('hex')).toBe(
      'cdf838f5e3349e5c8822e02320c9ede1e32948a742f08b81ccfda7f7a7ff6f9e',
    );
  });

  it('returns the same hash in hexadecimal', () => {
    const keys = new SecretKeys([COUNTING]);
    expect(keys.hashAddressInHex('jané@example.com')).toBe(
      keys.hashAddress('jané@example.com').toString('hex'),
    );
  });

  it('returns different hashes for different addresses and for different keys', () => {
    const keys = new SecretKeys([COUNTING]);
    const others = new SecretKeys([randomBytes(32).toString('base64')]);
    const hashes = [keys.hashAddress('a@x.com'), keys.hashAddress('b@x.com'), others.hashAddress('a@x.com')];
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(3);
  });

  it('hashes with the first key', () => {
    const rotated = new SecretKeys([COUNTING, randomBytes(32).toString('base64')]);
    expect(rotated.hashAddress('a@x.com')).toEqual(new SecretKeys([COUNTING]).hashAddress('a@x.com'));
  });

  it('derives stable keys for signatures, the first one first, because their ids are published', () => {
    const another = randomBytes(32).toString('base64');
    const publicKeys = (encoded: string[]) =>
      new SecretKeys(encoded).proofKeys.map((key) => createPublicKey(key).export({ format: 'jwk' }).x);
    // The seed is HKDF-SHA-256 with the info "rcpt proof signature"; computed with another library.
    const counting = 'V_05sE_HEq4nt_3Y8RAPJS7UVzBLyj0DeLJUs8sY5pQ';
    expect(publicKeys([COUNTING])).toEqual([counting]);
    expect(publicKeys([another, COUNTING])).toEqual([...publicKeys([another]), counting]);
  });

  it('accepts base64 with and without padding', () => {
    const bare = new SecretKeys([COUNTING.replace(/=+$/, '')]);
    expect(bare.hashAddress('a@x.com')).toEqual(new SecretKeys([COUNTING]).hashAddress('a@x.com'));
  });

  it('decrypts what it encrypted, and never returns the same ciphertext twice', () => {
    const keys = new SecretKeys([COUNTING]);
    const envelopes = [keys.encrypt('grüße'), keys.encrypt('grüße')];
    expect(envelopes.map((envelope) => keys.decrypt(envelope))).toEqual(['grüße', 'grüße']);
    expect(envelopes[0]).not.toBe(envelopes[1]);
    expect(keys.decrypt(keys.encrypt(''))).toBe('');
  });

  it('encrypts with the first key and decrypts with any listed key', () => {
    const another = randomBytes(32).toString('base64');
    const old = new SecretKeys([COUNTING]).encrypt('secret');
    const rotated = new SecretKeys([another, COUNTING]);
    expect(rotated.decrypt(old)).toBe('secret');
    expect(new SecretKeys([another]).decrypt(rotated.encrypt('secret'))).toBe('secret');
    expect(() => new SecretKeys([another]).decrypt(old)).toThrow('no key');
  });

  it('tells the envelopes of the first key from those of the others', () => {
    const another = randomBytes(32).toString('base64');
    const rotated = new SecretKeys([another, COUNTING]);
    expect(rotated.isOfFirstKey(rotated.encrypt('secret'))).toBe(true);
    expect(rotated.isOfFirstKey(new SecretKeys([COUNTING]).encrypt('secret'))).toBe(false);
  });

  it('rejects an envelope with a changed bit', () => {
    const keys = new SecretKeys([COUNTING]);
    const [version, id, body = ''] = keys.encrypt('secret').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => keys.decrypt(`${version}.${id}.${changed.toString('base64url')}`)).toThrow();
    }
    expect(() => keys.decrypt(`${version}.${id}.AAAA`)).toThrow('too short');
    expect(() => keys.decrypt('secret')).toThrow('no key');
  });

  it('requires at least one key', () => {
    expect(() => new SecretKeys([])).toThrow('at least one key');
  });
});
