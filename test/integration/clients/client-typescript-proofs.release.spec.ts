import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHmac, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { ProofKeys } from '../../../clients/typescript/src/proofs.js';
import { JoseProofSigner } from '../../../src/modules/verification/proofs/adapters/jose-proof-signer.js';
import { claimsOf, type ProofClaims } from '../../../src/modules/verification/proofs/domain/proof.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';

const NOW = Date.parse('2026-11-26T20:40:00Z');
const EMAIL = 'Jane@Example.com';
const KEY = { keyIds: ['key_0', 'key_1'] };
const VERDICT = {
  email: EMAIL,
  status: 'risky',
  reason: 'catch_all',
  policy: { decision: 'review', rule: null },
} as const;

const newSecret = () => randomBytes(32).toString('base64');
const secret = newSecret();
const [ownKey] = new SecretKeys([secret]).proofKeys as [KeyObject];
const stranger = generateKeyPairSync('ed25519').privateKey;
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('verifyProof of the TypeScript client', () => {
  let signer: JoseProofSigner;
  let published: unknown;
  let read: jest.Mock<() => Promise<unknown>>;
  let keys: ProofKeys;
  let claims: ProofClaims;
  let now: number;

  beforeAll(async () => {
    signer = await JoseProofSigner.of(new SecretKeys([secret]));
    claims = claimsOf({ iss: 'x', aud: 'key_1', origin: 'https://www.shop.example' }, VERDICT, new Date(NOW));
  });
  beforeEach(() => {
    published = { keys: signer.publicKeys };
    read = jest.fn(() => Promise.resolve(published));
    keys = new ProofKeys(read);
    now = NOW;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const kid = () => signer.publicKeys[0]?.kid;
  const signed = (more: object = {}, header: object = {}, key: KeyObject = ownKey) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'EdDSA', kid: kid(), ...header }).sign(key);
  const check = async (proof: string | Promise<string>, email = EMAIL, options = KEY) =>
    keys.check(await proof, email, options);
  const refused = (why: string) => {
    const nothing = { status: null, reason: null, decision: null };
    return { valid: false, why, ...nothing, verified_at: null, expires_at: null, jti: null };
  };
  const VALID = () => ({
    valid: true,
    why: null,
    status: 'risky',
    reason: 'catch_all',
    decision: 'review',
    verified_at: '2026-11-26T20:40:00.000Z',
    expires_at: '2026-11-26T21:10:00.000Z',
    jti: claims.jti,
  });

  it('returns what the service has signed, and reads the keys once', async () => {
    for (const email of [EMAIL, ' jane@example.COM '])
      expect(await check(signer.sign(claims), email)).toEqual(VALID());
    expect(await check(signer.sign(claims), EMAIL, { keyIds: ['key_1'] })).toEqual(VALID());
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('refuses a proof of another key, for another address, and out of its time', async () => {
    expect(await check(signed({ aud: 'key_2' }))).toEqual(refused('other_team'));
    expect(await check(signed({ aud: 'key_2', exp: 1 }), 'x')).toEqual(refused('other_team'));
    expect(await check(signed(), 'joe@example.com')).toEqual(refused('other_email'));
    expect(await check(signed({ email: '\u212Aate@x.example' }), 'kate@x.example')).toEqual(
      refused('other_email'),
    );
    now = NOW + 1_860_000;
    expect(await check(signed())).toEqual(VALID());
    now += 1_000;
    expect(await check(signed())).toEqual(refused('expired'));
    now = NOW - 61_000;
    expect(await check(signed())).toEqual(refused('expired'));
  });

  const hs256 = () => {
    const input = `${part({ alg: 'HS256', kid: kid() })}.${part(claims)}`;
    const mac = createHmac('sha256', Buffer.from(signer.publicKeys[0]?.x ?? '', 'base64url')).update(input);
    return Promise.resolve(`${input}.${mac.digest('base64url')}`);
  };
  const changed = async () => {
    const [header, , signature] = (await signed()).split('.');
    return `${header}.${part({ ...claims, decision: 'accept' })}.${signature}`;
  };
  it.each<[string, () => Promise<string>]>([
    ['another key with our kid', () => signed({}, {}, stranger)],
    ['an unknown kid', () => signed({}, { kid: 'x' })],
    ['no kid', () => signed({}, { kid: undefined })],
    ['alg none', () => Promise.resolve(`${part({ alg: 'none', kid: kid() })}.${part(claims)}.`)],
    ['HS256 with the public key', hs256],
    ['a key in the header', () => signed({}, { jwk: { kty: 'OKP' }, kid: 'x' }, stranger)],
    [
      'a critical header',
      async () => (await signed()).replace(/^[^.]*/, part({ alg: 'EdDSA', kid: kid(), crit: ['x'] })),
    ],
    ['changed claims', changed],
    ['a short signature', async () => (await signed()).slice(0, -20)],
  ])('refuses what the service did not sign: %s', async (_, made) => {
    expect(await check(made())).toEqual(refused('signature'));
  });

  it.each(['', 'x', '..', 'a.b.c', 'a.b.c.d', `${part([])}.ü.x`, 'x'.repeat(5_000), `${part(null)}.a.b`])(
    'refuses a text that is no token: %s',
    async (proof) => {
      expect((await check(proof)).valid).toBe(false);
      expect(await keys.check(undefined as never, EMAIL, KEY)).toEqual(refused('malformed'));
    },
  );

  it('reads the keys again for an unknown one, at most once a minute, and one time for calls at the same time', async () => {
    const rotated = await JoseProofSigner.of(new SecretKeys([newSecret(), secret]));
    expect(await check(signed())).toEqual(VALID());
    published = { keys: rotated.publicKeys };
    expect(await check(rotated.sign(claims))).toEqual(refused('signature'));
    now += 61_000;
    const all = await Promise.all(Array.from({ length: 5 }, () => check(rotated.sign(claims))));
    expect(all).toEqual(Array.from({ length: 5 }, VALID));
    for (let n = 0; n < 20; n++) await check(signed({}, { kid: `k${n}` }));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('forgets keys that the service has removed within an hour, and keeps them while it does not answer', async () => {
    const late = () => signed({ iat: now / 1_000, exp: now / 1_000 + 1_800 });
    expect(await check(late())).toMatchObject({ valid: true });
    now += 3_660_000;
    read.mockRejectedValueOnce(new Error('down'));
    expect(await check(late())).toMatchObject({ valid: true });
    published = { keys: [] };
    now += 61_000;
    expect(await check(late())).toEqual(refused('signature'));
  });

  it('throws without keys, and tries again with the next call', async () => {
    read.mockRejectedValueOnce(new Error('down'));
    await expect(check(signed())).rejects.toThrow('down');
    expect(await check(signed())).toEqual(VALID());
  });
});
