import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebhookResponse } from '../../src/modules/webhooks/webhooks.dto.js';
import { BulkFleet, type FleetAccount } from '../support/processes/bulk-fleet.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';
import { answering, silent, verified, WebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { OPENED, type TestWebhook } from '../support/webhooks/webhook-app.js';

const EVENTS = 20;

describe('events on two workers', () => {
  let fleet: BulkFleet;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    fleet = await BulkFleet.start('PostgreSQL', 2, OPENED);
  }, 60_000);
  afterAll(async () => {
    await fleet.stop();
    await receiver.stop();
    await RcptProcess.endAll();
  });

  const post = async <Answer>(path: string, { live_key }: FleetAccount, body: object): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${live_key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(fleet.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  /** Every event has arrived with a valid signature and the same content each time. */
  const toldOf = (secret: string) => {
    const bodies = new Map<string, Set<string>>();
    for (const each of receiver.received) {
      verified(each, secret);
      const id = each.headers['webhook-id'] ?? '';
      bodies.set(id, (bodies.get(id) ?? new Set()).add(each.body));
    }
    return [...bodies.values()].map((variants) => variants.size);
  };
  const statuses = async ({ id }: WebhookResponse) =>
    (
      await fleet.database.query<{ status: string }[]>(
        'SELECT status FROM webhook_deliveries WHERE webhook_id = $1',
        [id],
      )
    ).map(({ status }) => status);
  const expected = { told: Array<number>(EVENTS).fill(1), stored: Array<string>(EVENTS).fill('succeeded') };

  it('are all delivered, none with a wrong signature, once per webhook, when workers are killed and the queue loses everything', async () => {
    const account = await fleet.anAccount('unlimited');
    receiver.behave = silent;
    const wish = { url: receiver.url, events: ['key.created'] };
    const webhook = await post<TestWebhook>('/v1/webhooks', account, wish);
    for (let n = 0; n < EVENTS; n++) await post('/v1/keys', account, { name: `key ${n}` });
    await receiver.until(3);
    await Promise.all(fleet.workers.map((worker) => worker.end('SIGKILL')));
    await fleet.loseQueuedJobs();
    receiver.behave = answering(204);
    // Leases expire after a minute, and attempts that timed out before the kill would wait for their
    // next one.
    await fleet.database.query(
      `UPDATE webhook_deliveries SET leased_until = now(), due_at = now() WHERE status = 'pending'`,
    );
    await Promise.all(fleet.workers.map((_, n) => fleet.startWorker(n)));
    const distinct = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    while (distinct() < EVENTS) await receiver.until(receiver.received.length + 1);
    await fleet.until(async () => (await statuses(webhook)).every((status) => status === 'succeeded'));
    expect({ told: toldOf(webhook.secret), stored: await statuses(webhook) }).toEqual(expected);
  }, 120_000);
});
