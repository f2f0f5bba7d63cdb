import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { PostgresDeliveryRepository } from '../../../src/modules/events/webhooks/adapters/postgres-delivery.repository.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { PausableUnitOfWork } from '../../support/database/pausable-unit-of-work.js';
import { rowsOf } from '../../support/app/joins.js';
import type { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

/** Maximum claims of one webhook. */
const MAX_HELD = 4;

let world: WebhookApp;
beforeAll(async () => {
  world = await WebhookApp.start();
});
afterAll(() => world.stop());

/** Accepts requests and answers them when released. */
function holdBack(receiver: WebhookReceiver): { letGo: () => void } {
  const held: ServerResponse[] = [];
  receiver.behave = (response) => void held.push(response);
  return {
    letGo: () => {
      receiver.behave = (response) => void response.writeHead(204).end();
      for (const response of held) response.writeHead(204).end();
    },
  };
}

/** As many concurrent handlers as one worker has. */
const handlers = (count: number) => Promise.all(Array.from({ length: count }, () => world.send()));

async function tests(count: number, url: string, account: NewAccount, webhooks = 1) {
  const made = [];
  for (let n = 0; n < webhooks; n++) {
    const webhook = await world.aWebhook(account.liveKey, url);
    for (let n = 0; n < count; n++) await world.aTest(webhook, account);
    made.push(webhook);
  }
  return made;
}

describe('a slow receiver', () => {
  it('delays no others, has few claims, and gets every delivery once', async () => {
    const [slow, quick] = [await world.aReceiver(), await world.aReceiver()];
    const account = await world.app.anAccount();
    const { letGo } = holdBack(slow);
    await tests(12, slow.url, account);
    await tests(8, quick.url, account);
    await tests(3, quick.url, await world.app.anAccount());
    const working = handlers(12);
    await quick.until(11);
    await slow.until(MAX_HELD);
    const [held] = await rowsOf<{ n: number }>(
      world.app,
      'SELECT count(*)::int AS n FROM webhook_deliveries WHERE lease IS NOT NULL',
    );
    expect(held?.n).toBeLessThanOrEqual(MAX_HELD + 8);
    expect(slow.received).toHaveLength(MAX_HELD);
    letGo();
    await working;
    await world.send();
    expect(slow.received).toHaveLength(12);
    expect(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
    expect(quick.received).toHaveLength(11);
  });

  it('does not delay other teams when a team has many of them', async () => {
    const [slow, quick] = [await world.aReceiver(), await world.aReceiver()];
    const { letGo } = holdBack(slow);
    await tests(5, slow.url, await world.app.anAccount(), 20);
    const working = handlers(64);
    await slow.until(16);
    const [late] = await tests(1, quick.url, await world.app.anAccount());
    expect(late).toBeDefined();
    const others = handlers(4);
    await quick.until(1);
    expect(slow.received.length).toBeLessThan(64);
    letGo();
    await Promise.all([working, others]);
    await world.send();
    expect(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  });
});

describe('concurrent workers', () => {
  it('send each delivery once', async () => {
    const receiver = await world.aReceiver();
    await tests(6, receiver.url, await world.app.anAccount(), 5);
    await handlers(16);
    await world.send();
    expect(receiver.received).toHaveLength(30);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
  });

  it('send a delivery of a dead worker again once its lease has expired, under the same id', async () => {
    const receiver = await world.aReceiver();
    const account = await world.app.anAccount();
    const [webhook] = await tests(1, receiver.url, account);
    const lease = `lease = gen_random_uuid(), leased_until = now() + interval`;
    await rowsOf(world.app, `UPDATE webhook_deliveries SET ${lease} '1 minute'`);
    await world.send();
    expect(receiver.received).toEqual([]);
    await rowsOf(world.app, `UPDATE webhook_deliveries SET ${lease} '0'`);
    await world.send();
    expect(receiver.received).toHaveLength(1);
    expect(await world.deliveries(webhook ?? { id: '' }, account)).toMatchObject([{ status: 'succeeded' }]);
  });
});

/** Each stands for a worker; the test determines the order. */
describe('two workers that claim for the same webhook', () => {
  let account: NewAccount;
  const team = () => account.team.id;
  const aWorker = () => {
    const { app } = world.app.service;
    const work = new PausableUnitOfWork(app.get(DataSource));
    const deliveries = new PostgresDeliveryRepository(work, app.get(SecretKeys), world.app.clock);
    const claim = () => deliveries.claim(team());
    return { work, deliveries, claim };
  };
  const aWebhookWith = async (waiting: number) => {
    const { url } = await world.aReceiver();
    account = await world.app.anAccount();
    const [webhook] = await tests(waiting, url, account);
    return webhook?.id ?? '';
  };
  const inHand = async (webhook: string) =>
    (
      await rowsOf<{ id: string }>(
        world.app,
        'SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND lease IS NOT NULL',
        [webhook],
      )
    ).length;
  const claimUpToTheLast = async () => {
    const { claim } = aWorker();
    for (let n = 1; n < MAX_HELD; n++) await claim();
  };
  afterEach(() => rowsOf(world.app, 'DELETE FROM webhook_deliveries'));

  it('take the last slot once, when neither has seen the other’s commit', async () => {
    const webhook = await aWebhookWith(MAX_HELD + 2);
    await claimUpToTheLast();
    const [first, second] = [aWorker(), aWorker()];
    await first.work.run(async () => {
      expect((await first.deliveries.claim(team()))?.webhookId).toBe(webhook);
      expect(await second.claim()).toBeNull();
    });
    expect(await second.claim()).toBeNull();
    expect(await inHand(webhook)).toBe(MAX_HELD);
  });

  it('take the last slot once, when one has read before the other’s claim', async () => {
    const webhook = await aWebhookWith(MAX_HELD + 2);
    await claimUpToTheLast();
    const [late, quick] = [aWorker(), aWorker()];
    const looked = late.work.stopAfter(1);
    const claiming = late.claim();
    await looked;
    expect((await quick.claim())?.webhookId).toBe(webhook);
    late.work.resume();
    expect(await claiming).toBeNull();
    expect(await inHand(webhook)).toBe(MAX_HELD);
  });

  it('take a delivery once, when one has read before the other’s claim', async () => {
    const webhook = await aWebhookWith(1);
    const [late, quick] = [aWorker(), aWorker()];
    const looked = late.work.stopAfter(1);
    const claiming = late.claim();
    await looked;
    expect((await quick.claim())?.webhookId).toBe(webhook);
    late.work.resume();
    expect(await claiming).toBeNull();
  });

  it('skip a delivery that is being changed, without waiting', async () => {
    await aWebhookWith(2);
    const [changing, worker] = [aWorker(), aWorker()];
    const [first, next] = await rowsOf<{ id: string }>(
      world.app,
      'SELECT id FROM webhook_deliveries ORDER BY due_at',
    );
    await changing.work.run(async () => {
      await changing.deliveries.requeue(first?.id ?? '', null, world.app.clock.now());
      expect((await worker.claim())?.id).toBe(next?.id);
      expect(await worker.claim()).toBeNull();
    });
    expect((await worker.claim())?.id).toBe(first?.id);
  });
});
