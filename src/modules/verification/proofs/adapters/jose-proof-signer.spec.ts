import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import { claimsOf, type ProofClaims } from '../domain/proof.js';
import { JoseProofSigner } from './jose-proof-signer.js';

const ISSUER = 'https://verify.example';
const NOW = new Date('2026-11-26T20:40:00Z');
const VERDICT = {
  email: 'jane@example.com',
  status: 'undeliverable',
  reason: 'mailbox_not_found',
  policy: { decision: 'reject', rule: null },
} as const;

const secrets = new SecretKeys([randomBytes(32).toString('base64')]);
const [ownKey] = secrets.proofKeys as [KeyObject];
const stranger = generateKeyPairSync('ed25519').privateKey;
const publicJwk = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

let signer: JoseProofSigner;
let kid: string;
let claims: ProofClaims;
beforeAll(async () => {
  signer = await JoseProofSigner.of(secrets);
  kid = signer.publicKeys[0]?.kid ?? '';
  claims = claimsOf({ iss: ISSUER, aud: 'key_1', origin: 'https://www.shop.example' }, VERDICT, NOW);
});

const open = (proof: string) => signer.open(proof, ISSUER, NOW);
const notSigned = { claims: null, fault: 'signature' };
const signed = (more: JWTPayload, header: object = {}, key: KeyObject = ownKey) =>
  new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'EdDSA', kid, ...header }).sign(key);
const hmac = (key: string | Buffer) => (input: string) =>
  createHmac('sha256', key).update(input).digest('base64url');
/** A token with this header and what the function makes of its input. */
const withHeader = (header: object, mac: (input: string) => string) => {
  const input = `${part({ alg: 'EdDSA', kid, ...header })}.${part(claims)}`;
  return Promise.resolve(`${input}.${mac(input)}`);
};
const pem = () => createPublicKey(ownKey).export({ type: 'spki', format: 'pem' });
const bytes = () => Buffer.from(publicJwk(ownKey).x ?? '', 'base64url');

it('opens what it signed', async () => {
  expect(await open(await signer.sign(claims))).toEqual({ claims, isExpired: false, fault: null });
});

describe('a token that this installation did not sign', () => {
  it.each<[string, () => Promise<string>]>([
    ['another key with our kid', () => signed({}, {}, stranger)],
    ['another key with its own kid', () => signed({}, { kid: 'mine' }, stranger)],
    ['no kid', () => signed({}, { kid: undefined })],
    ['another kid', () => signed({}, { kid: 'constructor' })],
    ['a key in the header', () => signed({}, { jwk: publicJwk(stranger) }, stranger)],
    [
      'a key in the header, with its own kid',
      () => signed({}, { jwk: publicJwk(stranger), kid: 'x' }, stranger),
    ],
    ['the address of a key', () => signed({}, { jku: 'http://127.0.0.1:9/jwks.json', kid: 'x' }, stranger)],
    ['a certificate', () => signed({}, { x5u: 'http://127.0.0.1:9/', x5c: ['AAAA'], kid: 'x' }, stranger)],
    ['another issuer', () => signed({ iss: 'https://staging.example' })],
    ['no issuer', () => signed({ iss: undefined })],
    ['alg none', () => withHeader({ alg: 'none' }, () => '')],
    ['alg None with a signature', () => withHeader({ alg: 'None' }, hmac('x'))],
    ['HS256 with the public key as PEM', () => withHeader({ alg: 'HS256' }, hmac(pem()))],
    ['HS256 with the bytes of the public key', () => withHeader({ alg: 'HS256' }, hmac(bytes()))],
    ['the name Ed25519 of the algorithm', () => signed({}, { alg: 'Ed25519' })],
    ['a critical header', () => withHeader({ crit: ['tier'], tier: 1 }, hmac('x'))],
    ['an unencoded payload', () => withHeader({ crit: ['b64'], b64: false }, hmac('x'))],
    ['no signature', () => withHeader({}, () => '')],
    ['a signature of zeros', () => withHeader({}, () => Buffer.alloc(64).toString('base64url'))],
  ])('is refused: %s', async (_, made) => {
    expect(await open(await made())).toEqual(notSigned);
  });

  it.each<[string, object]>([
    ['status', { status: 'deliverable' }],
    ['decision', { decision: 'accept' }],
    ['address', { email: 'joe@example.com' }],
    ['expiry', { exp: 9_999_999_999 }],
    ['key', { aud: 'key_2' }],
  ])('is refused: a changed %s', async (_, more) => {
    const [header, , signature] = (await signer.sign(claims)).split('.');
    expect(await open(`${header}.${part({ ...claims, ...more })}.${signature}`)).toEqual(notSigned);
  });

  it.each<[string, string]>([
    ['an empty field', ''],
    ['a word', 'proof'],
    ['dots', '..'],
    ['four parts', 'a.b.c.d'],
    ['an encrypted token', `${part({ alg: 'dir', enc: 'A256GCM' })}....`],
    ['a header that is no JSON', 'eA.e30.e30'],
    ['a nested token', part('a'.repeat(900)).repeat(2)],
    ['JSON', '{"payload":"e30","signatures":[]}'],
    ['a deep header', `${Buffer.from('['.repeat(1_500)).toString('base64url')}.e30.e30`],
    ['NUL and letters that are no base64url', '\0ü.ü.ü'],
  ])('is malformed: %s', async (_, proof) => {
    expect(await open(proof)).toEqual({ claims: null, fault: 'malformed' });
  });
});
