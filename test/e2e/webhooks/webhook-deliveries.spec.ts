import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { newId } from '../../../src/kernel/ids.js';
import type {
  DeliveriesPage,
  DeliveryDetailResponse,
  DeliveryResponse,
  NewWebhookResponse,
} from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import {
  answering,
  verified,
  type Received,
  type WebhookReceiver,
} from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp, type TestWebhook } from '../../support/webhooks/webhook-app.js';

const HOUR_MS = 3_600_000;

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
  // Deliveries of earlier tests must not become due here.
  await rowsOf(world.app, 'TRUNCATE webhooks CASCADE');
  account = await world.app.anAccount();
  receiver.received.length = 0;
  receiver.behave = answering(204);
  webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test'] });
});
afterAll(() => world.stop());

const pathOf = ({ id }: { id: string }) => `/v1/webhooks/${id}`;
const page = async (query: string): Promise<DeliveriesPage> => {
  const answer = await world.app.get(`${pathOf(webhook)}/deliveries${query}`, account.liveKey);
  answers.expect('GET', '/v1/webhooks/{id}/deliveries', answer);
  return answer.body as DeliveriesPage;
};
const retry = async (id: string): Promise<DeliveryResponse> => {
  const answer = await world.app.post(`${pathOf(webhook)}/deliveries/${id}/retry`, account.liveKey);
  expect(answer.status).toBe(202);
  answers.expect('POST', '/v1/webhooks/{id}/deliveries/{delivery_id}/retry', answer);
  return answer.body as DeliveryResponse;
};
const change = (body: object) => world.app.request('patch', pathOf(webhook), account.liveKey).send(body);
const came = (n: number) => receiver.received[n] as Received;

describe('a test event', () => {
  it('returns its pending delivery, whatever the webhook’s subscriptions', async () => {
    const other = await world.aWebhook(account.liveKey, receiver.url, { events: ['key.created'] });
    const answer = await world.app.post(`${pathOf(other)}/test`, account.liveKey);
    expect(answer.status).toBe(202);
    answers.expect('POST', '/v1/webhooks/{id}/test', answer);
    expect(answer.body).toMatchObject({ type: 'webhook.test', status: 'pending', attempts: [] });
    await world.send();
    expect(receiver.bodies).toMatchObject([{ type: 'webhook.test', data: { webhook_id: other.id } }]);
  });

  it('reaches a disabled webhook too, with one attempt', async () => {
    await change({ enabled: false });
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    expect(receiver.received).toHaveLength(1);
    expect((await page('')).data).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
  });

  it('repeated under its idempotency key is one', async () => {
    for (let n = 0; n < 2; n++)
      await world.app.post(`${pathOf(webhook)}/test`, account.liveKey).set('Idempotency-Key', 'one test');
    await world.send();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the deliveries', () => {
  it('are listed newest first, page by page, also by status', async () => {
    const made: string[] = [];
    for (const status of [204, 204, 500, 204]) {
      receiver.behave = answering(status);
      made.unshift((await world.aTest(webhook, account)).id);
      await world.send();
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, next_cursor } = await page(`?limit=3${cursor}`);
      seen.push(...data.map(({ id }) => id));
      cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(made);
    expect((await page('?status=pending')).data.map(({ id }) => id)).toEqual([made[1]]);
    expect((await page('?status=succeeded')).data).toHaveLength(3);
    expect((await page('?status=failed')).data).toEqual([]);
    const { next_cursor } = await page('?limit=1');
    const path = `${pathOf(webhook)}/deliveries?status=failed&cursor=${next_cursor}`;
    expectProblem(await world.app.get(path, account.liveKey), 400, 'invalid_cursor');
    const unknown = await world.app.get(`${pathOf(webhook)}/deliveries?status=lost`, account.liveKey);
    expectProblem(unknown, 400, 'invalid_request');
  });

  it('are shown one by one, with the body that was sent', async () => {
    const { id } = await world.aTest(webhook, account);
    await world.send();
    const answer = await world.app.get(`${pathOf(webhook)}/deliveries/${id}`, account.liveKey);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/webhooks/{id}/deliveries/{delivery_id}', answer);
    const { type, timestamp, data, ...delivery } = answer.body as DeliveryDetailResponse;
    expect([{ type, timestamp, data }]).toEqual(receiver.bodies);
    expect((await page('')).data).toEqual([{ type, ...delivery }]);
  });

  it('of another team or webhook have the same response as missing ones', async () => {
    const delivery = await world.aTest(webhook, account);
    const stranger = await world.app.anAccount();
    const own = await world.aWebhook(stranger.liveKey, receiver.url);
    const ask = async (of: string, id: string) => {
      const path = `/v1/webhooks/${of}/deliveries/${id}`;
      const [read, retried] = await Promise.all([
        world.app.get(path, stranger.liveKey),
        world.app.post(`${path}/retry`, stranger.liveKey),
      ]);
      return [read, retried].map((answer) => ({
        ...expectProblem(answer, 404, 'not_found'),
        instance: '',
        request_id: '',
      }));
    };
    expect(await ask(own.id, delivery.id)).toEqual(await ask(own.id, newId('dlv')));
    expect(await ask(webhook.id, delivery.id)).toEqual(await ask(newId('whk'), delivery.id));
    expect(await ask(own.id, 'nonsense')).toEqual(await ask(own.id, newId('dlv')));
  });

  it('keep the latest 20 attempts, however often one is retried', async () => {
    const { id } = await world.aTest(webhook, account);
    for (let n = 0; n < 22; n++) {
      receiver.behave = answering(500, {}, `no ${n}`);
      await retry(id);
      await world.send();
    }
    const [delivery] = (await page('')).data;
    expect(delivery?.attempts).toHaveLength(20);
    expect(delivery?.attempts.at(-1)?.response_excerpt).toBe('no 21');
  });
});

describe('a retry', () => {
  it('sends an ended delivery once more, with its id and a new timestamp', async () => {
    const { id, event_id } = await world.aTest(webhook, account);
    await world.send();
    world.app.clock.advance(2_000);
    const queued = await retry(id);
    expect(queued).toMatchObject({ id, status: 'pending', next_attempt_at: expect.any(String) });
    receiver.behave = answering(500);
    await world.send();
    expect((await page('')).data).toMatchObject([{ status: 'failed', attempts: { length: 2 } }]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event_id, event_id]);
    expect(came(0).headers['webhook-timestamp']).not.toBe(came(1).headers['webhook-timestamp']);
    expect([came(0).body, verified(came(1), webhook.secret)]).toEqual([came(1).body, expect.anything()]);
  });

  it('makes a pending delivery due now, and its schedule continues', async () => {
    receiver.behave = answering(500);
    const { id } = await world.aTest(webhook, account);
    await world.send();
    await retry(id);
    await world.send();
    const [delivery] = (await page('')).data;
    expect(delivery).toMatchObject({ status: 'pending', attempts: { length: 2 } });
    const waits = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.attempts[1]?.at ?? '');
    expect(waits).toBeGreaterThanOrEqual(240_000);
  });

  it('does not send a delivery a second time while an attempt is running', async () => {
    const { id } = await world.aTest(webhook, account);
    let retried: Promise<unknown> = Promise.resolve();
    receiver.behave = (response) => {
      retried = retry(id)
        .then(() => world.send())
        .finally(() => response.writeHead(204).end());
    };
    await world.send();
    await retried;
    expect(receiver.received).toHaveLength(1);
    expect((await page('')).data).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a secret', () => {
  const rotate = async (): Promise<string> => {
    const answer = await world.app.post(`${pathOf(webhook)}/rotate-secret`, account.liveKey);
    answers.expect('POST', '/v1/webhooks/{id}/rotate-secret', answer);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    return (answer.body as NewWebhookResponse).secret ?? '';
  };

  it('is rotated; for a day both sign, then the new one only', async () => {
    const fresh = await rotate();
    expect(fresh).toMatch(/^whsec_/);
    expect(fresh).not.toBe(webhook.secret);
    await world.aTest(webhook, account);
    await world.send();
    expect(came(0).headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [webhook.secret, fresh])
      expect(verified(came(0), secret)).toMatchObject({ type: 'webhook.test' });
    await rowsOf(
      world.app,
      `UPDATE webhooks SET secrets = jsonb_set(secrets, '{1,until}', '"2020-01-01T00:00:00Z"')`,
    );
    await world.aTest(webhook, account);
    await world.send();
    expect(came(1).headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(verified(came(1), fresh)).toMatchObject({ type: 'webhook.test' });
    expect(() => verified(came(1), webhook.secret)).toThrow();
  });

  it('rotated twice within a day: all three sign, each for its own day', async () => {
    const secrets = [webhook.secret, await rotate()];
    world.app.clock.advance(23 * HOUR_MS);
    secrets.push(await rotate());
    world.app.clock.advance(2 * HOUR_MS);
    const [row] = await rowsOf<{ secrets: unknown[] }>(
      world.app,
      'SELECT secrets FROM webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(row?.secrets).toHaveLength(3);
    await world.aTest(webhook, account);
    await world.send();
    expect(came(0).headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  it('that SECRET_KEY cannot decrypt signs nothing, until it can again or is rotated', async () => {
    await world.aTest(webhook, account);
    const { DATABASE_URL, SECRET_KEY } = world.app.shared;
    const env = { DATABASE_URL, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
    const fresh = randomBytes(32).toString('base64');
    // After the first start with both keys the database accepts the fresh one alone.
    await (await anApp({ ...env, SECRET_KEY: `${fresh},${SECRET_KEY}` })).stop();
    const forgetful = await anApp({ ...env, SECRET_KEY: fresh });
    forgetful.clock.advance(30 * HOUR_MS);
    await world.send(forgetful);
    await forgetful.stop();
    expect(receiver.received).toEqual([]);
    const [delivery] = (await page('')).data;
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: 'secret_unreadable' }] });
    await retry(delivery?.id ?? '');
    await world.send();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a disabled webhook', () => {
  it('receives neither pending nor new deliveries', async () => {
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    await change({ enabled: false });
    expect((await page('')).data).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    world.app.clock.advance(HOUR_MS);
    await world.dispatchAndSend();
    expect(receiver.received).toHaveLength(1);
  });
});
