import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { WebhookResponse } from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import { WebhookDeliveriesService } from '../../../src/modules/events/webhooks/deliveries/webhook-deliveries.service.js';
import { expectProblem } from '../../support/http/problems.js';
import { rowsOf } from '../../support/app/joins.js';
import { answering, verified, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp, type TestWebhook } from '../../support/webhooks/webhook-app.js';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;
/** Seconds between attempts, as in the contract. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

let world: WebhookApp;
let receiver: WebhookReceiver;
let account: NewAccount;
let webhook: TestWebhook;

beforeAll(async () => {
  world = await WebhookApp.start();
  receiver = await world.aReceiver();
});
beforeEach(async () => {
  account = await world.app.anAccount();
  receiver.received.length = 0;
  receiver.behave = answering(204);
  webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test'] });
});
afterAll(() => world.stop());

const only = async () => {
  const [delivery] = await world.deliveries(webhook, account);
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery;
};
/** Seconds to the next attempt, from the last one and from now; the database's time is between the two. */
const waits = async () => {
  const { attempts, next_attempt_at } = await only();
  const next = Date.parse(next_attempt_at ?? '') / 1000;
  return {
    sinceAttempt: next - Date.parse(attempts.at(-1)?.at ?? '') / 1000,
    fromNow: next - world.app.clock.now().getTime() / 1000,
  };
};
/** Advances the clock to the next attempt, if there is one, and makes it. */
const goOn = async () => {
  if ((await only()).next_attempt_at === null) return;
  world.app.clock.advance((await waits()).fromNow * SECOND_MS + 1);
  await world.send();
};
const read = async ({ id }: { id: string }) =>
  (await world.app.get(`/v1/webhooks/${id}`, account.liveKey)).body as WebhookResponse;

describe('a delivery that succeeds', () => {
  it('has a signature that the official library verifies for the unchanged body only', async () => {
    await world.aTest(webhook, account);
    await world.send();
    const [request] = receiver.received;
    if (request === undefined) throw new Error('nothing came');
    expect(verified(request, webhook.secret)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.id, mode: 'live' },
    });
    expect(() => verified({ ...request, body: `${request.body} ` }, webhook.secret)).toThrow();
    expect(() => verified(request, 'whsec_' + Buffer.alloc(32).toString('base64'))).toThrow();
    expect(request.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('is stored with the response, and is not sent again', async () => {
    receiver.behave = answering(202, {}, 'thank\u0000you\r\n\u001b[31m😀\u202e\u200b');
    const { id, event_id } = await world.aTest(webhook, account);
    await world.send();
    await world.send();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(event_id);
    expect(await only()).toEqual({
      id,
      event_id,
      type: 'webhook.test',
      status: 'succeeded',
      created_at: expect.any(String),
      attempts: [
        {
          at: expect.any(String),
          status_code: 202,
          duration_ms: expect.any(Number),
          error: null,
          response_excerpt: 'thank you [31m😀 ',
        },
      ],
      next_attempt_at: null,
    });
  });
});

describe('a delivery that fails', () => {
  it('is sent 8 times, with the scheduled pauses ± 20 %, one id and new timestamps', async () => {
    receiver.behave = answering(500, {}, 'no');
    await world.aTest(webhook, account);
    await world.send();
    for (const planned of PAUSES) {
      const { sinceAttempt, fromNow } = await waits();
      expect([planned, sinceAttempt >= planned * 0.8, fromNow <= planned * 1.2]).toEqual([
        planned,
        true,
        true,
      ]);
      await goOn();
    }
    expect(await only()).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: { length: 8 } });
    expect((await only()).attempts[0]).toMatchObject({
      status_code: 500,
      error: 'http_status',
      response_excerpt: 'no',
    });
    const { received } = receiver;
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const id = headers['webhook-id'] ?? '';
      expect(headers['webhook-signature']).toBe(new Webhook(webhook.secret).sign(id, at, body));
    }
  });

  it('is not sent before it is due', async () => {
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    await world.send();
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['as many seconds as it asks for', () => '500', 500],
    ['until the time that it names', (now: Date) => new Date(now.getTime() + 500_000).toUTCString(), 499],
    ['twice the pause at most', () => '86400', 600],
  ])('waits for its receiver %s', async (_, retryAfter, seconds) => {
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    receiver.behave = (response) =>
      void response.writeHead(503, { 'retry-after': retryAfter(world.app.clock.now()) }).end();
    await goOn();
    const { sinceAttempt, fromNow } = await waits();
    expect([sinceAttempt >= seconds, fromNow <= seconds + 1]).toEqual([true, true]);
  });

  it('keeps the first 500 bytes of the first and the last response', async () => {
    for (const letter of ['a', 'b', '\u4e2d']) {
      receiver.behave = answering(500, {}, letter.repeat(2_000));
      if (letter === 'a') {
        await world.aTest(webhook, account);
        await world.send();
      } else await goOn();
    }
    const { attempts } = await only();
    expect(attempts.map(({ response_excerpt: excerpt }) => excerpt)).toEqual([
      'a'.repeat(500),
      null,
      '\u4e2d'.repeat(166),
    ]);
  });

  it('succeeds when its receiver recovers', async () => {
    receiver.behave = answering(502);
    await world.aTest(webhook, account);
    await world.send();
    receiver.behave = answering(200);
    await goOn();
    expect(await only()).toMatchObject({ status: 'succeeded', attempts: { length: 2 } });
  });
});

describe('a failing receiver', () => {
  it('is disabled at once by 410: pending deliveries are dropped, and the team’s other webhooks get an event', async () => {
    const other = await world.aReceiver();
    const watcher = await world.aWebhook(account.liveKey, other.url, { events: ['webhook.disabled'] });
    receiver.behave = answering(500);
    await world.aTest(webhook, account);
    await world.send();
    receiver.behave = answering(410);
    await world.aTest(webhook, account);
    await world.send();
    expect(await read(webhook)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect((await world.deliveries(webhook, account)).map(({ status }) => status)).toEqual([
      'failed',
      'failed',
    ]);
    await world.dispatchAndSend();
    expect(other.bodies).toMatchObject([
      { type: 'webhook.disabled', data: { webhook_id: webhook.id, mode: 'live', reason: 'gone' } },
    ]);
    expect(await read(watcher)).toMatchObject({ enabled: true });
  });

  const failFor = async (days: number) => {
    for (let day = 0; day < days; day++) {
      await world.aTest(webhook, account);
      await world.send();
      for (let n = 0; n < PAUSES.length; n++) await goOn();
    }
  };

  const succeed = async () => {
    receiver.behave = answering(204);
    await world.aTest(webhook, account);
    await world.send();
    receiver.behave = answering(500);
  };

  it('is disabled after 2 days of failures if it has never worked, and not before the last attempt', async () => {
    receiver.behave = answering(500);
    await failFor(1);
    expect(await only()).toMatchObject({ status: 'failed', attempts: { length: 8 } });
    expect(await read(webhook)).toMatchObject({ enabled: true });
    await failFor(1);
    expect(await read(webhook)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('is disabled when 5,000 deliveries wait, and gets no test while they do', async () => {
    const query = <Row>(sql: string) => rowsOf<Row>(world.app, sql);
    await world.aTest(webhook, account);
    await query(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, data, occurred_at, created_at, due_at, status)
       SELECT id || n, webhook_id, event_id || n, type, data, occurred_at, created_at, due_at + interval '1 day', status
         FROM webhook_deliveries, generate_series(1, 5000) AS n WHERE webhook_id = '${webhook.id}'`,
    );
    const refused = await world.app.post(`/v1/webhooks/${webhook.id}/test`, account.liveKey);
    expect(expectProblem(refused, 409, 'limit_reached')).toMatchObject({ limit: 5_000 });
    const change = { events: ['key.created'] };
    await world.app.request('patch', `/v1/webhooks/${webhook.id}`, account.liveKey).send(change);
    await world.app.post('/v1/keys', account.liveKey).send({ name: 'another' });
    await world.dispatchAndSend();
    expect(await read(webhook)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const waiting = `SELECT FROM webhook_deliveries WHERE webhook_id = '${webhook.id}' AND status = 'pending'`;
    expect(await query(waiting)).toHaveLength(0);
    // Those that have ended stay, as many as are kept.
    await query(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, data, occurred_at, created_at, status)
       SELECT 'dlv_old' || n, '${webhook.id}', 'evt_old' || n, 'webhook.test', '{}', now(), now() - interval '2 days', 'failed'
         FROM generate_series(1, 100) AS n`,
    );
    await world.app.service.app.get(WebhookDeliveriesService).deleteSurplus();
    const left = await query<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE webhook_id = '${webhook.id}'`,
    );
    expect(left).toHaveLength(5_000);
    expect(left.filter(({ id }) => id.startsWith('dlv_old'))).toHaveLength(0);
  });

  it('is disabled after 5 days of failures only', async () => {
    await succeed();
    await failFor(4);
    expect(await read(webhook)).toMatchObject({ enabled: true });
    await failFor(2);
    expect(await read(webhook)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('is not disabled while some deliveries succeed, nor by old failures', async () => {
    await succeed();
    await failFor(4);
    await succeed();
    await failFor(2);
    expect(await read(webhook)).toMatchObject({ enabled: true });
  });

  it('starts without failures when it is enabled again or gets a new URL', async () => {
    await succeed();
    await failFor(6);
    const change = (body: object) =>
      world.app.request('patch', `/v1/webhooks/${webhook.id}`, account.liveKey).send(body);
    expect((await change({ enabled: true })).body).toMatchObject({ enabled: true, disabled_reason: null });
    await failFor(4);
    await change({ url: `${receiver.url}/moved` });
    await failFor(1);
    expect(await read(webhook)).toMatchObject({ enabled: true });
  });
});

describe('the deliveries', () => {
  it('are kept for 30 days', async () => {
    await world.aTest(webhook, account);
    await world.send();
    const erase = () => world.eraseOld();
    world.app.clock.advance(29 * DAY_MS);
    await erase();
    expect(await world.deliveries(webhook, account)).toHaveLength(1);
    world.app.clock.advance(2 * DAY_MS);
    await erase();
    expect(await world.deliveries(webhook, account)).toEqual([]);
    expect(
      await rowsOf(world.app, 'SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]),
    ).toEqual([]);
  });
});
