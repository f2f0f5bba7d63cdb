import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { NewAccount } from '../../src/modules/accounts/accounts.service.js';
import { rowsOf } from '../support/joins.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { WebhookApp } from '../support/webhook-app.js';

/** Deliveries that one webhook has in hand at most. */
const MOST_HELD = 4;

let world: WebhookApp;
beforeEach(async () => {
  world = await WebhookApp.start();
});
afterEach(() => world.stop());

/** Takes everything and answers nothing, until it is let go. */
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

/** So many handlers at once, as one worker has them. */
const handlers = (count: number) => Promise.all(Array.from({ length: count }, () => world.send()));

async function tests(count: number, url: string, account: NewAccount, webhooks = 1) {
  const made = [];
  for (let n = 0; n < webhooks; n++) {
    const webhook = await world.aWebhook(account.liveKey, url);
    for (let each = 0; each < count; each++) await world.aTest(webhook, account);
    made.push(webhook);
  }
  return made;
}

describe('a receiver that is slow', () => {
  it('holds up nobody else, has few deliveries in hand, and gets all of them in the end, each once', async () => {
    const [slow, quick] = [await world.aReceiver(), await world.aReceiver()];
    const account = await world.app.anAccount();
    const { letGo } = holdBack(slow);
    await tests(12, slow.url, account);
    await tests(8, quick.url, account);
    await tests(3, quick.url, await world.app.anAccount());
    const working = handlers(12);
    await quick.until(11);
    await slow.until(MOST_HELD);
    const [held] = await rowsOf<{ n: number }>(
      world.app,
      'SELECT count(*)::int AS n FROM webhook_deliveries WHERE lease IS NOT NULL',
    );
    expect(held?.n).toBeLessThanOrEqual(MOST_HELD + 8);
    expect(slow.received).toHaveLength(MOST_HELD);
    letGo();
    await working;
    await world.send();
    expect(slow.received).toHaveLength(12);
    expect(new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
    expect(quick.received).toHaveLength(11);
  });

  it('does not hold up other teams when a team has many of them', async () => {
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

describe('workers that look for work at once', () => {
  it('send each delivery once', async () => {
    const receiver = await world.aReceiver();
    await tests(6, receiver.url, await world.app.anAccount(), 5);
    await handlers(16);
    await world.send();
    expect(receiver.received).toHaveLength(30);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
  });

  it('take up again what somebody died with, once their lease is over, under the same id', async () => {
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
