import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SourceKind } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';
import {
  amazon,
  CONFIRM_URL,
  NOW,
  RESEND,
  SECONDS,
  SECRETS,
  SIGNERS,
  snsMessage,
  type Signed,
} from '../../support/outcomes/source-signers.js';
import { SnsEndpoint } from '../../../src/modules/events/outcome-intake/domain/sns-endpoint.js';

type Forgery = [SourceKind, (signed: Signed) => Signed];

describe('sources of outcomes', () => {
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;
  const fetched = jest.fn<SnsEndpoint['get']>();
  beforeAll(async () => {
    app = await anApp();
    answers = await ResponseValidator.published(app);
    app.clock.standAt(NOW);
    jest.spyOn(app.service.app.get(SnsEndpoint, { strict: false }), 'get').mockImplementation(fetched);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    fetched.mockReset().mockResolvedValue(amazon.cert);
  });
  afterAll(() => app.stop());

  const add = async (kind: SourceKind, secret = SECRETS[kind]) => {
    const answer = await app.post('/v1/outcome-sources', account.liveKey).send({ kind, secret });
    answers.expect('POST', '/v1/outcome-sources', answer);
    return { status: answer.status, ...(answer.body as { id: string; url: string }) };
  };
  const send = async (url: string, { body, headers }: Signed) => {
    const request = app.post(new URL(url).pathname).set('Content-Type', 'application/json').set(headers);
    const answer = await request.send(body);
    answers.expect('POST', '/inbound/outcomes/{token}', answer);
    return answer;
  };
  const of = async (email: string) =>
    ((await app.get(`/v1/outcomes?email=${email}`, account.liveKey)).body as { data: unknown[] }).data;

  describe.each(Object.keys(SECRETS) as SourceKind[])('of %s', (kind) => {
    const sign = SIGNERS[kind];
    const events = PROVIDER_EVENTS[kind];

    it('store its bounces and deliveries once, and ignore other events', async () => {
      const { url } = await add(kind);
      const total = { received: 0, stored: 0, duplicates: 0, ignored: 0 };
      for (const event of events) {
        const answer = await send(url, sign(event, undefined, url));
        expect(answer.status).toBe(200);
        const counts = answer.body as typeof total;
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
      }
      expect(total).toEqual({ received: 3, stored: 2, duplicates: 0, ignored: 1 });
      const repeated = await send(url, sign(events[0], undefined, url));
      expect(repeated.body).toMatchObject({ stored: 0 });
      expect(await of('ghost@example.com')).toMatchObject([
        { kind: 'bounced', code: 550, enhanced_code: '5.1.1', text: '[address] User unknown' },
      ]);
      expect(await of('jane@example.com')).toMatchObject([{ kind: 'delivered' }]);
      const verdict = await app.get('/v1/verify?email=ghost@example.com', account.liveKey);
      expect(verdict.body).toMatchObject({ reason: 'bounced' });
    });
  });

  it.each<Forgery>([
    ['ses', ({ body, headers }) => ({ body: body.replace('ghost@', 'other@'), headers })],
    [
      'ses',
      ({ body, headers }) => ({
        body: body.replace('sns.eu-west-1.amazonaws.com', 'sns.evil.example'),
        headers,
      }),
    ],
    [
      'ses',
      ({ body, headers }) => ({
        body: body.replace('sns.eu-west-1.amazonaws.com', 'sns.eu-west-1.amazonaws.com.evil.example'),
        headers,
      }),
    ],
    ['sendgrid', ({ body, headers }) => ({ body: body.replace('ghost@', 'other@'), headers })],
    ['sendgrid', ({ body }) => ({ body, headers: {} })],
    [
      'mailgun',
      ({ body, headers }) => ({ body: body.replace(/"signature":"../, '"signature":"xx'), headers }),
    ],
    ['mailgun', () => ({ body: '{}', headers: {} })],
    ['resend', ({ body, headers }) => ({ body: body.replace('ghost@', 'other@'), headers })],
    ['resend', ({ body }) => ({ body, headers: {} })],
    ['postmark', ({ body }) => ({ body, headers: {} })],
    ...(['postal', 'mandrill', 'mailersend', 'mailtrap'] as const).flatMap<Forgery>((kind) => [
      [kind, ({ body, headers }) => ({ body: body.replace('ghost', 'other'), headers })],
      [kind, ({ body }) => ({ body, headers: {} })],
    ]),
    ['mailjet', ({ body }) => ({ body, headers: {} })],
    ['kumomta', ({ body }) => ({ body, headers: { Authorization: 'Bearer a-bearer-token-of-another' } })],
    ['kumomta', ({ body }) => ({ body, headers: { Authorization: 'Basic aG9vazpzM2NyZXQ=' } })],
    [
      'brevo',
      ({ body }) => ({
        body,
        headers: { Authorization: `Basic ${Buffer.from('hook:x').toString('base64')}` },
      }),
    ],
  ])('refuse forged events, and store nothing: %s %#', async (kind, forge) => {
    const { url } = await add(kind);
    const answer = await send(url, forge(SIGNERS[kind](PROVIDER_EVENTS[kind][0], undefined, url)));
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([401, 'invalid_event_signature']);
    for (const name of ['ghost', 'other']) expect(await of(`${name}@example.com`)).toEqual([]);
  });

  it.each<[SourceKind, string]>([
    ['ses', '2026-11-19T11:00:00Z'],
    ['sendgrid', String(Number(SECONDS) - 90_000)],
    ['mailgun', String(Number(SECONDS) - 90_000)],
    ['resend', String(Number(SECONDS) - 301)],
    ['postal', String(Number(SECONDS) - 90_000)],
  ])('refuse old events: %s', async (kind, time) => {
    const { url } = await add(kind);
    expect((await send(url, SIGNERS[kind](PROVIDER_EVENTS[kind][0], time))).status).toBe(401);
  });

  it('accept a token of Mailgun once', async () => {
    const { url } = await add('mailgun');
    const signed = SIGNERS.mailgun(PROVIDER_EVENTS.mailgun[0]);
    expect((await send(url, signed)).status).toBe(200);
    expect((await send(url, signed)).status).toBe(401);
  });

  it.each([
    ['1', 'sha1', 200],
    ['2', 'sha256', 200],
    ['1', 'sha256', 401],
    ['2', 'sha1', 401],
    ['3', 'sha256', 401],
  ])('read the signature version %s of Amazon, made with %s: %d', async (version, algorithm, status) => {
    const { url } = await add('ses');
    // Control characters are signed as they are, and a notification may have a subject.
    const notification = {
      Type: 'Notification',
      MessageId: randomBytes(8).toString('hex'),
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
      Subject: 'Amazon SES Email Event Notification',
      Message: JSON.stringify(PROVIDER_EVENTS.ses[0], null, 2),
      Timestamp: NOW,
    };
    const answer = await send(url, snsMessage(notification, version, algorithm));
    expect(answer.status).toBe(status);
    expect(await of('ghost@example.com')).toHaveLength(status === 200 ? 1 : 0);
  });

  it('confirm a subscription at Amazon only', async () => {
    const { url } = await add('ses');
    const message = {
      Type: 'SubscriptionConfirmation',
      MessageId: '1',
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
      Message: 'You have chosen to subscribe',
      Timestamp: NOW,
      Token: 't',
    };
    expect((await send(url, snsMessage({ ...message, SubscribeURL: CONFIRM_URL }))).status).toBe(200);
    expect(fetched.mock.calls.map(([url]) => url)).toContain(CONFIRM_URL);
    fetched.mockClear();
    const elsewhere = snsMessage({ ...message, SubscribeURL: 'https://evil.example/confirm' });
    expect((await send(url, elsewhere)).status).toBe(401);
    expect(fetched.mock.calls.map(([url]) => url)).not.toContain('https://evil.example/confirm');
    fetched.mockRejectedValue(new Error('unreachable'));
    const unreachable = await send(url, snsMessage({ ...message, SubscribeURL: CONFIRM_URL }));
    expect([unreachable.status, unreachable.headers['retry-after']]).toEqual([503, '30']);
  });

  it('are listed without secret and URL, and unknown to another team', async () => {
    const { id, url } = await add('resend');
    const listed = await app.get('/v1/outcome-sources', account.liveKey);
    answers.expect('GET', '/v1/outcome-sources', listed);
    expect(listed.body).toMatchObject({ data: [{ id, kind: 'resend' }], has_more: false });
    expect(JSON.stringify(listed.body)).not.toMatch(/whsec|rcpt_src_/);
    const stored = await app.service.app
      .get(DataSource)
      .query<unknown[]>('SELECT * FROM outcome_sources WHERE id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain(RESEND);
    const other = await app.anAccount();
    expect((await app.delete(`/v1/outcome-sources/${id}`, other.liveKey)).status).toBe(404);
    expect((await app.delete(`/v1/outcome-sources/${id}`, account.liveKey)).status).toBe(204);
    expect((await send(url, SIGNERS.resend(PROVIDER_EVENTS.resend[0]))).status).toBe(404);
    expect(app.logged()).not.toContain('rcpt_src_');
  });

  it('show their URL once, also with an idempotency key', async () => {
    const create = () =>
      app.post('/v1/outcome-sources', account.liveKey).set('Idempotency-Key', 'one').send({ kind: 'ses' });
    expect((await create()).body).toMatchObject({
      url: expect.stringContaining('/inbound/outcomes/rcpt_src_'),
    });
    expect((await create()).body).toMatchObject({ kind: 'ses', url: null });
  });

  it.each<[SourceKind, string | null]>([
    ['ses', 'x'],
    ['sendgrid', null],
    ['mailgun', null],
    ['resend', 'no prefix'],
    ['postmark', 'no colon'],
    ['postal', null],
    ['postal', 'bm90IGEga2V5'],
    ['mailjet', 'no colon'],
    ['mandrill', null],
    ['mailersend', 'two words'],
    ['mailtrap', 'short'],
    ['kumomta', 'short'],
  ])('require the secret of the provider: %s', async (kind, secret) => {
    expect((await add(kind, secret)).status).toBe(400);
  });

  it('are at most 20', async () => {
    for (let n = 0; n < 20; n++) expect((await add('ses')).status).toBe(201);
    expect((await add('ses')).status).toBe(409);
  });

  it('take at most 1 MB, and only JSON', async () => {
    const { url } = await add('sparkpost');
    expect((await send(url, { body: `"${'x'.repeat(1_000_001)}"`, headers: {} })).status).toBe(413);
    expect((await send(url, { body: '{', headers: {} })).status).toBe(400);
    expect((await send(url, { body: '{}', headers: {} })).body).toMatchObject({ received: 0 });
  });
});
