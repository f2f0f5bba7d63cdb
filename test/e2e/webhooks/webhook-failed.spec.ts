import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type {
  DeliveriesPage,
  WebhooksPage,
} from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { answering, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp, type TestWebhook } from '../../support/webhooks/webhook-app.js';

const MINUTE_MS = 60_000;

let world: WebhookApp;
let answers: ResponseValidator;
let account: NewAccount;
let receiver: WebhookReceiver;
let webhook: TestWebhook;

beforeAll(async () => {
  world = await WebhookApp.start();
  answers = await ResponseValidator.published(world.app);
  receiver = await world.aReceiver();
});
beforeEach(async () => {
  account = await world.app.anAccount();
  receiver.received.length = 0;
  receiver.behave = answering(500);
  webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test', 'key.created'] });
});
afterAll(() => world.stop());

const now = () => world.app.clock.now().toISOString();
const retryFailed = (since: string, key = account.liveKey) =>
  world.app.post(`/v1/webhooks/${webhook.id}/retry-failed`, key).send({ since });
/** Its receiver responds with 500, and a disabled webhook has one attempt. */
async function fail(): Promise<string> {
  const { id } = await world.aTest(webhook, account);
  await world.send();
  world.app.clock.advance(MINUTE_MS);
  return id;
}
async function list(query: string): Promise<string[]> {
  const answer = await world.app.get(`/v1/webhooks/${webhook.id}/deliveries?${query}`, account.liveKey);
  answers.expect('GET', '/v1/webhooks/{id}/deliveries', answer);
  return (answer.body as DeliveriesPage).data.map(({ id }) => id);
}
const disable = () =>
  world.app.request('patch', `/v1/webhooks/${webhook.id}`, account.liveKey).send({ enabled: false });

describe('failed deliveries', () => {
  it('since a time are all retried, the oldest first, each with one attempt', async () => {
    await disable();
    await fail();
    const from = now();
    const later = [await fail(), await fail()];
    receiver.received.length = 0;
    receiver.behave = (response, { headers }) =>
      answering(headers['webhook-id'] === first ? 204 : 500)(response, { path: '', headers, body: '' });
    const first = (await world.deliveries(webhook, account)).find(({ id }) => id === later[0])?.event_id;
    const answer = await retryFailed(from);
    answers.expect('POST', '/v1/webhooks/{id}/retry-failed', answer);
    expect([answer.status, answer.body]).toEqual([202, { retried: 2 }]);
    expect(await list('status=pending')).toEqual([...later].reverse());
    await world.send();
    expect(receiver.received).toHaveLength(2);
    expect(await list('status=failed')).toHaveLength(2);
    expect((await retryFailed(now())).body).toEqual({ retried: 0 });
  });

  it('of another team, or without a time, are not retried', async () => {
    const stranger = await world.app.anAccount();
    expectProblem(await retryFailed(now(), stranger.liveKey), 404, 'not_found');
    expectProblem(await retryFailed('yesterday'), 400, 'invalid_request');
  });
});

describe('deliveries', () => {
  it('have the time when they were created, and are filtered by it and by type', async () => {
    const [start, old] = [now(), await fail()];
    const between = now();
    await world.app.post('/v1/keys', account.liveKey).send({ name: 'another', mode: 'test' });
    await world.dispatchAndSend();
    const [latest] = await world.deliveries(webhook, account);
    expect(latest).toMatchObject({ type: 'key.created' });
    expect(await list(`from=${between}`)).toEqual([latest?.id]);
    expect(await list(`from=${start}&to=${between}`)).toEqual([old]);
    expect(await list('type=webhook.test')).toEqual([old]);
    expect(await list('type=key.created&status=succeeded')).toEqual([]);
  });

  it('are counted for each webhook', async () => {
    const other = await world.aWebhook(account.liveKey, receiver.url, { events: ['key.revoked'] });
    await fail();
    receiver.behave = answering(204);
    await fail();
    await disable();
    receiver.behave = answering(500);
    await fail();
    const [latest] = await world.deliveries(webhook, account);
    const answer = await world.app.get('/v1/webhooks', account.liveKey);
    answers.expect('GET', '/v1/webhooks', answer);
    const recent = Object.fromEntries(
      (answer.body as WebhooksPage).data.map((each) => [each.id, each.recent]),
    );
    expect(recent).toEqual({
      // The first has succeeded with its second attempt.
      [webhook.id]: { last_at: latest?.created_at, succeeded: 2, failed: 1, retrying: 0 },
      [other.id]: { last_at: null, succeeded: 0, failed: 0, retrying: 0 },
    });
  });
});
