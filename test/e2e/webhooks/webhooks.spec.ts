import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { EVENT_TYPES } from '../../../src/modules/events/webhooks/events/events.dto.js';
import type {
  NewWebhookResponse,
  WebhookResponse,
  WebhooksPage,
} from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

const PATH = '/v1/webhooks';
const URL = 'https://receiver.example/hooks?of=us';

let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  app = await anApp();
  answers = await ResponseValidator.published(app);
});
beforeEach(async () => {
  account = await app.anAccount();
});
afterAll(() => app.stop());

const sql = (statement: string, parameters: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, parameters);

async function create(body: object = { url: URL }, key = account.liveKey): Promise<NewWebhookResponse> {
  const answer = await app.post(PATH, key).send(body);
  expect([answer.status, answer.body]).toEqual([201, answer.body]);
  answers.expect('POST', PATH, answer);
  return answer.body as NewWebhookResponse;
}

const read = async (id: string, key = account.liveKey) =>
  (await app.get(`${PATH}/${id}`, key)).body as WebhookResponse;
const change = (id: string, body: object, key = account.liveKey) =>
  app.request('patch', `${PATH}/${id}`, key).send(body);

const NO_DELIVERIES = { last_at: null, succeeded: 0, failed: 0, retrying: 0 };

describe('a webhook', () => {
  it('is created with a secret that is shown once and stored encrypted', async () => {
    const answer = await app.post(PATH, account.liveKey).send({ url: URL });
    const { secret, ...webhook } = answer.body as NewWebhookResponse;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ url: URL, mode: 'live', description: null, enabled: true });
    expect(webhook).toMatchObject({ events: EVENT_TYPES, disabled_reason: null });
    expect(webhook.id).toMatch(/^whk_/);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      location: `${PATH}/${webhook.id}`,
    });
    expect(await read(webhook.id)).toEqual({ ...webhook, recent: NO_DELIVERIES });
    const stored = await sql('SELECT * FROM webhooks, audit_log a WHERE webhooks.team_id = a.team_id');
    expect(JSON.stringify(stored)).not.toContain(secret?.slice(6));
    expect(app.logged()).not.toContain(secret?.slice(6));
    expect(app.logged()).not.toContain('of=us');
  });

  it('created again under its idempotency key is one, and its secret is not shown again', async () => {
    const ask = () => app.post(PATH, account.liveKey).set('Idempotency-Key', 'once').send({ url: URL });
    const [first, again] = [await ask(), await ask()];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual({ ...(first.body as object), secret: null });
    expect(((await app.get(PATH, account.liveKey)).body as WebhooksPage).data).toHaveLength(1);
  });

  it('is changed in the given fields only', async () => {
    const { id, secret, ...made } = await create({ url: URL, description: 'ours' });
    expect(secret).not.toBeNull();
    const steps: [object, object][] = [
      [{ events: ['key.created', 'webhook.test'] }, { events: ['key.created', 'webhook.test'] }],
      [{ url: 'https://other.example:8443/' }, { url: 'https://other.example:8443/' }],
      [{ description: null }, { description: null }],
      [{ enabled: false }, { enabled: false, disabled_reason: 'owner' }],
      [{ enabled: true }, { enabled: true, disabled_reason: null }],
      [{ events: null }, { events: EVENT_TYPES }],
    ];
    let expected: object = { id, ...made };
    for (const [body, effect] of steps) {
      expected = { ...expected, ...effect };
      const answer = await change(id, body);
      answers.expect('PATCH', `${PATH}/{id}`, answer);
      expect([answer.status, answer.body, await read(id)]).toEqual([
        200,
        expected,
        { ...expected, recent: NO_DELIVERIES },
      ]);
    }
  });

  it('is deleted by DELETE', async () => {
    const { id } = await create();
    expect((await app.delete(`${PATH}/${id}`, account.liveKey)).status).toBe(204);
    for (const answer of [
      await app.get(`${PATH}/${id}`, account.liveKey),
      await change(id, { enabled: true }),
    ])
      expectProblem(answer, 404, 'not_found');
  });

  it('is one of at most 20, also under concurrency', async () => {
    const made = await Promise.all(
      Array.from({ length: 23 }, () => app.post(PATH, account.liveKey).send({ url: URL })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(3);
    for (const answer of refused)
      expect(expectProblem(answer, 409, 'limit_reached')).toMatchObject({ what: 'webhooks', limit: 20 });
    const { data } = (await app.get(`${PATH}?limit=100`, account.liveKey)).body as WebhooksPage;
    await app.delete(`${PATH}/${data[0]?.id}`, account.liveKey);
    await create();
  });

  it('is deleted with its team', async () => {
    await create();
    await app.post(`${PATH}/${(await create()).id}/test`, account.liveKey);
    expect((await app.delete('/v1/team', account.liveKey)).status).toBe(204);
    expect(await sql('SELECT id FROM webhooks WHERE team_id = $1', [account.team.id])).toEqual([]);
  });

  it('is audited when changed, without its URL', async () => {
    const { id } = await create();
    await change(id, { enabled: false });
    await app.post(`${PATH}/${id}/rotate-secret`, account.liveKey);
    await app.delete(`${PATH}/${id}`, account.liveKey);
    const trace = await sql('SELECT action, details FROM audit_log WHERE target_id = $1 ORDER BY seq', [id]);
    expect(trace.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.disabled',
      'webhook.secret_rotated',
      'webhook.deleted',
    ]);
    expect(JSON.stringify(trace)).not.toContain('receiver.example');
  });
});

describe('the list', () => {
  it('contains every webhook once, newest first, without secrets', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await create()).id);
    const seen: WebhookResponse[] = [];
    for (let cursor = ''; ;) {
      const answer = await app.get(`${PATH}?limit=2${cursor}`, account.liveKey);
      answers.expect('GET', PATH, answer);
      const page = answer.body as WebhooksPage;
      seen.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen.map(({ id }) => id)).toEqual(made);
    expect(seen.every((webhook) => !('secret' in webhook))).toBe(true);
  });
});

describe('a test key', () => {
  it('creates and manages webhooks of mode test, and reads all', async () => {
    const test = await create({ url: URL }, account.testKey);
    expect(test.mode).toBe('test');
    const live = await create();
    expect((await create({ url: URL, mode: 'test' })).mode).toBe('test');
    expect(await read(live.id, account.testKey)).toMatchObject({ mode: 'live' });
    expect((await change(test.id, { description: 'x' }, account.testKey)).status).toBe(200);
    expect((await app.post(`${PATH}/${test.id}/rotate-secret`, account.testKey)).status).toBe(200);
    expect((await app.delete(`${PATH}/${test.id}`, account.testKey)).status).toBe(204);
  });

  it('cannot change live ones: 403', async () => {
    const { id } = await create();
    const refused = [
      app.post(PATH, account.testKey).send({ url: URL, mode: 'live' }),
      change(id, { enabled: false }, account.testKey),
      app.delete(`${PATH}/${id}`, account.testKey),
      app.post(`${PATH}/${id}/test`, account.testKey),
      app.post(`${PATH}/${id}/rotate-secret`, account.testKey),
      app.post(`${PATH}/${id}/deliveries/dlv_1/retry`, account.testKey),
    ];
    for (const answer of refused) expectProblem(await answer, 403, 'live_key_required');
    expect(await read(id)).toMatchObject({ enabled: true });
  });
});

describe('a refused request', () => {
  it('of a suspended team creates no webhook of any mode', async () => {
    const { liveKey, testKey } = await app.anAccount('suspended');
    for (const key of [liveKey, testKey]) {
      const refused = await app.post(PATH, key).send({ url: URL });
      answers.expect('POST', PATH, refused);
      expect(expectProblem(refused, 402, 'upgrade_required')).toMatchObject({ tier: 'suspended' });
    }
    expect((await app.get(PATH, liveKey)).body).toMatchObject({ data: [] });
  });

  it.each<[complaint: string, body: object | undefined]>([
    ['/url invalid_type', {}],
    ['/url too_big', { url: `https://receiver.example/${'x'.repeat(2_048)}` }],
    ['/events invalid_type', { url: URL, events: 'key.created' }],
    ['/events too_small', { url: URL, events: [] }],
    ['/events/0 invalid_value', { url: URL, events: ['key.*'] }],
    ['/events invalid_value', { url: URL, events: ['key.created', 'key.created'] }],
    ['/description too_big', { url: URL, description: 'x'.repeat(201) }],
    ['/mode invalid_value', { url: URL, mode: 'both' }],
    ['/secret unknown_member', { url: URL, secret: 'whsec_mine' }],
    [' invalid_type', undefined],
  ])('is 400 with pointer and reason: %s', async (complaint, body) => {
    const problem = expectProblem(await app.post(PATH, account.liveKey).send(body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
  });

  it.each([
    'receiver.example',
    'ftp://receiver.example/',
    'javascript:alert(1)',
    'http://receiver.example/',
    'https://jane:secret@receiver.example/',
    'https://@receiver.example/#top',
    'https://receiver.example:22/',
    'https://receiver.example:6/',
    'https://receiver.example/\n',
    'https://localhost/',
    'https://localhost.:8443/',
    'https://a.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://１２７.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
  ])('has a URL that is no public receiver: %j', async (url) => {
    const made = await create();
    for (const answer of [
      await app.post(PATH, account.liveKey).send({ url }),
      await change(made.id, { url, enabled: false }),
    ]) {
      const problem = expectProblem(answer, 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual(['/url not_allowed']);
      expect(problem.errors?.[0]?.message).toMatch(/^Send a URL.+\.$/);
    }
    expect(await read(made.id)).toMatchObject({ url: URL, enabled: true });
  });

  it('changes nothing: 400', async () => {
    const { id } = await create();
    expect(fieldErrorsOf(expectProblem(await change(id, {}), 400, 'invalid_request'))).toEqual([
      ' invalid_value',
    ]);
  });
});
