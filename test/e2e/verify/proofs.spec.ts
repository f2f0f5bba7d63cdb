import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose';
import { DataSource } from 'typeorm';
import { Rcpt } from '../../../clients/typescript/src/index.js';
import type { ReducedVerdictResponse } from '../../../src/modules/verification/verification/single/reduced-verdict.dto.js';
import { Retention } from '../../../src/platform/database/erasure/retention.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aPublishableKey, PAGE, Visitor, type PublishableKey } from '../../support/app/publishable.js';
import { expectProblem, fieldErrorsOf } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const ENV = { TRUST_PROXY: '1', PUBLIC_URL: 'https://verify.example' };
/** Without the network: the team has blocked the domain. */
const EMAIL = 'Jane@Blocked.example';
const OUTCOME = { status: 'risky', reason: 'blocked_domain', decision: 'reject' };
const MINUTE_MS = 60_000;

let app: TestApp;
let team: TestTeam;
let page: PublishableKey;
let answers: ResponseValidator;
beforeAll(async () => {
  app = await anApp(ENV);
  app.clock.stop();
  team = await aTeam(app);
  page = await aPublishableKey(app, team.member);
  await app.post('/v1/blocklist', team.owner).send({ domain: 'blocked.example' });
  answers = await ResponseValidator.published(app);
});
afterAll(() => app.stop());

let clients = 0;
async function aProof({ email = EMAIL, key = page.key, from = app } = {}): Promise<string> {
  const answer = await new Visitor(from, key, `198.51.100.${(clients += 1)}`).verify(email);
  answers.expect('GET', '/v1/verify', answer);
  return (answer.body as ReducedVerdictResponse).proof ?? '';
}

async function confirm(proof: string, { email = EMAIL, key = team.service, by = app } = {}) {
  const answer = await by.post('/v1/proofs/confirm', key).send({ proof, email });
  answers.expect('POST', '/v1/proofs/confirm', answer);
  expect(answer.status).toBe(200);
  return answer.body as object;
}

const valid = (proof: string, replayed = false) => {
  const verified_at = new Date(Number(decodeJwt(proof).iat) * 1000).toISOString();
  return { valid: true, why: null, ...OUTCOME, verified_at, replayed };
};
const NOT_KNOWN = { status: null, reason: null, decision: null, verified_at: null, replayed: false };
const invalid = (why: string) => ({ valid: false, why, ...NOT_KNOWN });

async function kidsOf(of: TestApp): Promise<string[]> {
  const answer = await of.get('/.well-known/jwks.json');
  return (answer.body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

/** The key that signs the proofs of the app. */
const ownKey = () => new SecretKeys([app.shared.SECRET_KEY]).proofKeys[0]!;
/** A proof that is signed again, with other claims. */
const resigned = async (claims: JWTPayload) => {
  const [proof, { kid }] = [await aProof(), decodeProtectedHeader(await aProof())];
  return new SignJWT({ ...decodeJwt(proof), ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .sign(ownKey());
};

describe('the proof of a verdict', () => {
  it('is a JWT of Ed25519 that names the key, the page, the address and the verdict for 30 minutes', async () => {
    const proof = await aProof({ email: ` ${EMAIL} ` });
    const iat = Math.floor(app.clock.now().getTime() / 1000);
    expect(decodeJwt(proof)).toEqual({
      iss: ENV.PUBLIC_URL,
      aud: page.id,
      origin: PAGE,
      email: 'jane@blocked.example',
      ...OUTCOME,
      iat,
      exp: iat + 1_800,
      jti: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
    });
    expect(decodeJwt(await aProof()).jti).not.toBe(decodeJwt(proof).jti);
    const [kid] = await kidsOf(app);
    expect(decodeProtectedHeader(proof)).toEqual({ alg: 'EdDSA', kid, typ: 'JWT' });
  });

  it('is in the response to a body too, and in none to a secret key', async () => {
    const visitor = new Visitor(app, page.key, '203.0.113.1');
    expect((await visitor.post({ email: EMAIL })).body).toHaveProperty('proof', expect.stringMatching(/^ey/));
    for (const key of [team.service, team.test]) {
      const answer = await app.post('/v1/verify', key).send({ email: EMAIL });
      expect([answer.status, 'proof' in (answer.body as object)]).toEqual([200, false]);
    }
  });

  it('lowers ASCII letters only, so that no other mailbox has its proof', async () => {
    const proof = await aProof({ email: '\u212Aate@blocked.example' });
    expect(decodeJwt(proof).email).toBe('\u212Aate@blocked.example');
    expect(await confirm(proof, { email: 'kate@blocked.example' })).toEqual(invalid('other_email'));
  });

  it('is as short as confirmation takes it, or null for a text that is no address', async () => {
    const visitor = new Visitor(app, page.key, '203.0.113.2');
    const longest = `${'x'.repeat(985)}@blocked.example`.slice(-1_000);
    expect(await confirm(await aProof({ email: longest }), { email: longest })).toMatchObject({
      valid: true,
    });
    const answer = await visitor.post({ email: '€'.repeat(1_000) });
    answers.expect('POST', '/v1/verify', answer);
    expect([answer.status, answer.body as object]).toMatchObject([200, { proof: null }]);
  });
});

describe('POST /v1/proofs/confirm', () => {
  it('returns the verdict of the page, the second time as a replay', async () => {
    const proof = await aProof();
    expect(await confirm(proof, { email: '  JANE@blocked.EXAMPLE\n' })).toEqual(valid(proof));
    expect(await confirm(proof)).toEqual(valid(proof, true));
    expect(await confirm(proof, { key: team.member })).toEqual(valid(proof, true));
  });

  it('has one first confirmation of ten at the same time', async () => {
    const proof = await aProof();
    const all = await Promise.all(Array.from({ length: 10 }, () => confirm(proof)));
    expect(all.filter((one) => 'replayed' in one && !one.replayed)).toEqual([valid(proof)]);
  });

  it('is a method of the TypeScript client, which also checks a proof without it', async () => {
    const [rcpt, proof] = [new Rcpt({ baseUrl: app.url, apiKey: team.service }), await aProof()];
    expect(await rcpt.verifyProof(proof, EMAIL, { keyIds: page.id })).toMatchObject({
      valid: true,
      ...OUTCOME,
    });
    expect(await rcpt.confirmProof(proof, EMAIL)).toEqual(valid(proof));
  });

  it('repeats the response of an Idempotency-Key', async () => {
    const proof = await aProof();
    const send = () =>
      app.post('/v1/proofs/confirm', team.service).set('Idempotency-Key', 'p1').send({ proof, email: EMAIL });
    await send();
    expect((await send()).body).toEqual(valid(proof));
  });

  it('costs no quota, and counts for the rate of the team', async () => {
    const { liveKey: key } = await app.anAccount('free');
    const left = (answer: { headers: Record<string, string> }) =>
      /"daily";r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1];
    const before = left(await app.get('/v1/me', key));
    const answer = await app.post('/v1/proofs/confirm', key).send({ proof: await aProof(), email: EMAIL });
    expect(answer.headers.ratelimit).toMatch(/r=\d+/);
    expect(left(answer)).toBe(before);
  });

  it('does not accept the proof for another address, which does not use it', async () => {
    const proof = await aProof();
    for (const email of ['joe@blocked.example', 'jane@blocked.example.org', 'jane+a@blocked.example', ''])
      expect(await confirm(proof, { email })).toEqual(invalid('other_email'));
    expect(await confirm(proof)).toEqual(valid(proof));
  });

  it('tells another team nothing, whatever the proof says', async () => {
    const { liveKey: key } = await app.anAccount();
    const proof = await aProof();
    expect(await confirm(proof, { key })).toEqual(invalid('other_team'));
    expect(await confirm(proof, { key, email: 'joe@x.example' })).toEqual(invalid('other_team'));
    expect(await confirm(await resigned({ exp: 1 }), { key })).toEqual(invalid('other_team'));
    expect(await confirm(await resigned({ aud: 'key_00000000000000000000000000' }))).toEqual(
      invalid('other_team'),
    );
    expect(await confirm(proof)).toEqual(valid(proof));
  });

  it('is of the mode of the key: test with test, live with live', async () => {
    const email = 'jane@x.example';
    const { key } = await aPublishableKey(app, team.member, { mode: 'test' });
    const proof = await aProof({ email, key });
    expect(await confirm(proof, { email })).toEqual(invalid('other_team'));
    expect(await confirm(await aProof(), { key: team.test })).toEqual(invalid('other_team'));
    expect(await confirm(proof, { email, key: team.test })).toMatchObject({
      valid: true,
      status: 'deliverable',
    });
  });

  it('accepts what a key verified before it was revoked', async () => {
    const { id, key } = await aPublishableKey(app, team.member);
    const proof = await aProof({ key });
    await app.delete(`/v1/keys/${id}`, team.member);
    expect(await confirm(proof)).toEqual(valid(proof));
  });

  it('accepts a proof until 60 seconds after it expired, for clocks that differ, and a replay as long', async () => {
    const [proof, other] = [await aProof(), await aProof()];
    expect(await confirm(other)).toEqual(valid(other));
    app.clock.advance(30 * MINUTE_MS + 59_000);
    expect(await confirm(proof)).toEqual(valid(proof));
    const expired = { table: 'confirmed_proofs', column: 'expires_at' };
    await app.service.app.get(Retention).deleteExpired(expired);
    expect(await confirm(other)).toEqual(valid(other, true));
    app.clock.advance(2_000);
    for (const one of [proof, other]) expect(await confirm(one)).toEqual(invalid('expired'));
    app.clock.advance(10 * MINUTE_MS);
    await app.service.app.get(Retention).deleteExpired(expired);
    const left: unknown = await app.service.app
      .get(DataSource)
      .query('SELECT FROM confirmed_proofs WHERE jti = $1', [decodeJwt(other).jti]);
    expect(left).toEqual([]);
  });

  it('takes a proof from the future for one of a wrong clock', async () => {
    const now = Math.floor(app.clock.now().getTime() / 1000);
    const ahead = (seconds: number) => resigned({ iat: now + seconds, exp: now + seconds + 1_800 });
    expect(await confirm(await ahead(59))).toMatchObject({ valid: true });
    expect(await confirm(await ahead(62))).toEqual(invalid('expired'));
    expect(await confirm(await resigned({ exp: now + 86_400, iat: now - 1_900 }))).toEqual(
      invalid('expired'),
    );
  });

  it('knows nothing of a proof that was changed, or is none', async () => {
    const [header, payload] = (await aProof()).split('.');
    const changed = `${header}.${payload}.${(await aProof()).split('.')[2]}`;
    expect(await confirm(changed)).toEqual(invalid('signature'));
    for (const proof of ['', 'a.b.c.d']) expect(await confirm(proof)).toEqual(invalid('malformed'));
  });

  it('refuses before it reads what is no text or longer than a proof can be', async () => {
    const send = (body: object) => app.post('/v1/proofs/confirm', team.service).send(body);
    const long = await send({ proof: 'x'.repeat(4_097), email: EMAIL });
    expect(fieldErrorsOf(expectProblem(long, 400, 'invalid_request'))).toEqual(['/proof too_big']);
    const address = await send({ proof: 'x', email: 'x'.repeat(1_001) });
    expect(fieldErrorsOf(expectProblem(address, 400, 'invalid_request'))).toEqual(['/email too_big']);
    for (const proof of [undefined, null, 7, { a: 1 }, [await aProof()]])
      expectProblem(await send({ proof, email: EMAIL }), 400, 'invalid_request');
    const nested = `{"proof":${'['.repeat(5_000)}${']'.repeat(5_000)},"email":"a@b.example"}`;
    expectProblem(
      await app.post('/v1/proofs/confirm', team.service).type('json').send(nested),
      400,
      'malformed_json',
    );
    expectProblem(await send({ proof: 'x'.repeat(1_000_000), email: EMAIL }), 413, 'payload_too_large');
  });
});

describe('the keys of proofs', () => {
  it('are public and cacheable, and say nothing of SECRET_KEY but the public half', async () => {
    const answer = await app.get('/.well-known/jwks.json');
    answers.expect('GET', '/.well-known/jwks.json', answer);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const { x } = createPublicKey(ownKey()).export({ format: 'jwk' });
    const kid = expect.stringMatching(/^[\w-]{43}$/);
    expect(answer.body).toEqual({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] });
  });

  it('rotate with SECRET_KEY: the new one signs, and those still listed are published and accepted', async () => {
    const old = app.shared.SECRET_KEY;
    const next = randomBytes(32).toString('base64');
    const before = await aProof();
    const another = async (SECRET_KEY: string) => {
      const made = await anApp({ ...ENV, ...app.shared, SECRET_KEY });
      made.clock.advance(app.clock.now().getTime() - made.clock.now().getTime());
      return made;
    };
    const rotated = await another(`${next},${old}`);
    try {
      // A process of the old order has both keys too, and reads what the new one signs.
      const mixed = await another(`${old},${next}`);
      try {
        const after = await aProof({ from: rotated });
        expect(await kidsOf(rotated)).toEqual([...(await kidsOf(mixed))].reverse());
        expect(decodeProtectedHeader(after).kid).toBe((await kidsOf(rotated))[0]);
        expect(decodeProtectedHeader(before).kid).toBe((await kidsOf(rotated))[1]);
        expect(await confirm(before, { by: rotated })).toEqual(valid(before));
        expect(await confirm(after, { by: mixed })).toEqual(valid(after));
        expect(await confirm(after, { by: rotated })).toEqual(valid(after, true));
        expect(await confirm(after)).toEqual(invalid('signature'));
      } finally {
        await mixed.stop();
      }
    } finally {
      await rotated.stop();
    }
  });
});
