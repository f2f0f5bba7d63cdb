import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SourceKind } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';
import {
  hex,
  mandrillForm,
  NOW,
  postalKeys,
  SECRETS,
  SIGNERS,
  type Signed,
} from '../../support/outcomes/source-signers.js';

const MAILERSEND_TEST_KEY = 'test_Am3L1GuOIc4blLUuHqAPxxwkZaJyEk8G';

describe('the signature or credential', () => {
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(() => app.stop());

  const add = (kind: SourceKind, secret = SECRETS[kind]) =>
    app.post('/v1/outcome-sources', account.liveKey).send({ kind, secret });
  const urlOf = async (kind: SourceKind, secret = SECRETS[kind]) =>
    ((await add(kind, secret)).body as { url: string }).url;
  const send = (url: string, { body, headers }: Signed) =>
    app.post(new URL(url).pathname).set('Content-Type', 'application/json').set(headers).send(body);
  const stored = () =>
    app.service.app
      .get(DataSource)
      .query<unknown[]>('SELECT 1 FROM outcomes WHERE team_id = $1', [account.team.id]);

  it('of Postal is verified with the key in PEM, too', async () => {
    const pem = postalKeys.publicKey.export({ format: 'pem', type: 'spki' }) as string;
    for (const secret of [pem, pem.replaceAll('\n', ' ')]) {
      const answer = await send(await urlOf('postal', secret), SIGNERS.postal(PROVIDER_EVENTS.postal[0]));
      expect(answer.status).toBe(200);
    }
    expect(await stored()).toHaveLength(1);
  });

  it('of Postal with SHA-1 counts if it is alone, and never for a wrong one with SHA-256', async () => {
    const url = await urlOf('postal');
    const { body, headers } = SIGNERS.postal(PROVIDER_EVENTS.postal[0]);
    const sha1 = { 'X-Postal-Signature': headers['X-Postal-Signature'] ?? '' };
    const forged = { ...sha1, 'X-Postal-Signature-256': headers['X-Postal-Signature'] ?? '' };
    expect((await send(url, { body, headers: forged })).status).toBe(401);
    expect(await stored()).toEqual([]);
    expect((await send(url, { body, headers: sha1 })).status).toBe(200);
  });

  it('of Postal has no time that is missing', async () => {
    const { body, headers } = SIGNERS.postal(PROVIDER_EVENTS.postal[0], 'none');
    expect((await send(await urlOf('postal'), { body, headers })).status).toBe(401);
  });

  it('of Postal is made with an RSA key that costs no more than reading the body', async () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
    // Not the product of two primes, which would take a second to find.
    const n = Buffer.alloc(4_608 / 8, 0xff).toString('base64url');
    const long = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    for (const key of [ec, long]) {
      const answer = await add('postal', key.export({ format: 'pem', type: 'spki' }) as string);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        400,
        expect.stringContaining('the public key of Postal (PEM'),
      ]);
    }
  });

  it('of Mandrill covers the URL and all fields of the form in the order of their names', async () => {
    const url = await urlOf('mandrill');
    const events = JSON.stringify(PROVIDER_EVENTS.mandrill[0]);
    const fields = { z: 'ü &=', mandrill_events: events, a: '1' };
    expect((await send(url, mandrillForm(fields, `${url}/`))).status).toBe(401);
    const { body, headers } = mandrillForm(fields, url);
    expect((await send(url, { body: `${body}&b=2`, headers })).status).toBe(401);
    expect(await stored()).toEqual([]);
    expect((await send(url, { body, headers })).body).toMatchObject({ received: 2, stored: 2 });
  });

  it('of Mandrill with its test key counts for an empty list only', async () => {
    const url = await urlOf('mandrill');
    const test = (events: unknown) =>
      mandrillForm({ mandrill_events: JSON.stringify(events) }, url, 'test-webhook');
    const answer = await send(url, test([]));
    expect([answer.status, answer.body]).toMatchObject([200, { received: 0, stored: 0 }]);
    expect((await send(url, test(PROVIDER_EVENTS.mandrill[0]))).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it.each<[SourceKind, string]>([
    ['postal', 'PEM, or the base64 after p='],
    ['mandrill', 'the key of the webhook'],
    ['mailersend', 'the signing secret of the webhook'],
    ['mailtrap', 'the signing secret of the webhook'],
    ['mailjet', 'user:password'],
    ['kumomta', 'user:password, or a bearer token'],
  ])('of %s needs a secret, and the error says which', async (kind, what) => {
    const answer = await add(kind, 'a b');
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { errors: [{ pointer: '/secret', message: expect.stringContaining(what) }] },
    ]);
  });

  it('of Mandrill lets no form in elsewhere', async () => {
    const { body, headers } = mandrillForm({ email: 'a@example.com', outcome: 'bounced' }, '');
    const answer = await app.post('/v1/outcomes', account.liveKey).set(headers).send(body);
    expect([answer.status, await stored()]).toEqual([415, []]);
  });

  it('of MailerSend with its test key counts for a test only', async () => {
    const url = await urlOf('mailersend');
    const test = (event: object) => {
      const body = JSON.stringify(event);
      return send(url, { body, headers: { Signature: hex(MAILERSEND_TEST_KEY, body) } });
    };
    const answer = await test({ type: 'webhook.test', message: 'This is a ping test message' });
    expect([answer.status, answer.body]).toMatchObject([200, { stored: 0, ignored: 1 }]);
    expect((await test(PROVIDER_EVENTS.mailersend[0] ?? {})).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it('of Mailtrap covers JSON Lines, too', async () => {
    const lines = PROVIDER_EVENTS.mailtrap[0]?.events.map((event) => JSON.stringify(event)) ?? [];
    const body = `${lines.join('\n')}\n`;
    const signature = hex(SECRETS.mailtrap, body);
    const headers = { 'Content-Type': 'application/jsonl', 'Mailtrap-Signature': signature };
    const answer = await send(await urlOf('mailtrap'), { body, headers });
    expect(answer.body).toMatchObject({ received: 3, stored: 2, ignored: 1 });
  });

  it('of KumoMTA is Basic where the secret is a user and a password, or none where there is none', async () => {
    const event = PROVIDER_EVENTS.kumomta[0];
    const basic = await urlOf('kumomta', 'hook:s3cret');
    expect((await send(basic, SIGNERS.kumomta(event))).status).toBe(401);
    expect(await stored()).toEqual([]);
    expect((await send(basic, SIGNERS.postmark(event))).status).toBe(200);
    const open = await urlOf('kumomta', null);
    expect((await send(open, { body: JSON.stringify(event), headers: {} })).status).toBe(200);
  });
});
