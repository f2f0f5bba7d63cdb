import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { Events } from '../../../src/kernel/events.js';
import { Config } from '../../../src/platform/config/config.js';
import type { EventType } from '../../../src/modules/events/webhooks/domain/webhook.js';
import {
  CATALOGUE,
  EVENT_TYPES,
  publicEvent,
} from '../../../src/modules/events/webhooks/events/events.dto.js';
import { sweep } from '../../support/database/growing-tables.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { aBulkJob, jobOf, recheckOn, workOn } from '../../support/app/bulk.js';
import { joinTeam, rowsOf } from '../../support/app/joins.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { verified, type WebhookBody, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp, type TestWebhook } from '../../support/webhooks/webhook-app.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PAID = (n: number) => Array.from({ length: n }, (_, i) => `no address ${i}`);

let mail: MailWorld;
let world: WebhookApp;
let answers: ResponseValidator;
let document: OpenAPIObject;
let account: NewAccount;
let receiver: WebhookReceiver;
let webhook: TestWebhook;

beforeAll(async () => {
  const base = mailboxes('jane');
  const greylisting = {
    ...base,
    rcpt: (asking: Parameters<typeof base.rcpt>[0]) =>
      asking.localPart === 'jane' && asking.times === 1 ? '450 4.2.0 Greylisted' : base.rcpt(asking),
  };
  const scenes = ['one', 'two', 'three'].map((name) => ({
    domain: `${name}.mailworld`,
    story: 'greylists',
    servers: [greylisting],
    expect: {},
  }));
  mail = await MailWorld.start({ scenes });
  world = await WebhookApp.start(mail.env);
  document = (await world.app.get('/openapi.json')).body as OpenAPIObject;
  answers = new ResponseValidator(document);
  receiver = await world.aReceiver();
});
beforeEach(async () => {
  account = await world.app.anAccount('starter');
});
afterAll(async () => {
  await world.stop();
  await mail.stop();
});

/** From here on. */
async function listen(...events: EventType[]): Promise<void> {
  webhook = await world.aWebhook(account.liveKey, receiver.url, { events });
  receiver.received.length = 0;
}

/** The events received since, verified by the official library and the documented schema. */
async function heard(): Promise<WebhookBody[]> {
  await world.dispatchAndSend();
  return receiver.received.map((request) => {
    const body = verified(request, webhook.secret);
    answers.expectEvent(body);
    expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
    expect(Buffer.byteLength(request.body)).toBeLessThan(20_000);
    return body;
  });
}

/** Sorted by type, since events are unordered. */
const told = async () =>
  (await heard()).map(({ type, data }) => ({ type, data })).sort((a, b) => a.type.localeCompare(b.type));
const disable = ({ id }: TestWebhook) =>
  world.app.request('patch', `/v1/webhooks/${id}`, account.liveKey).send({ enabled: false });

describe('an event is published when', () => {
  it('a key is created or revoked', async () => {
    await listen('key.created', 'key.revoked');
    const made = await world.app.post('/v1/keys', account.liveKey).send({ name: 'new', mode: 'test' });
    const { id } = made.body as { id: string };
    await world.app.delete(`/v1/keys/${id}`, account.liveKey);
    const data = { key_id: id, user_id: account.user.id, mode: 'test' };
    expect(await told()).toEqual([
      { type: 'key.created', data },
      { type: 'key.revoked', data },
    ]);
  });

  it('a member joins or leaves the team', async () => {
    await listen('invite.accepted', 'member.removed');
    const guest = await joinTeam(world.app, account);
    await world.app.delete(`/v1/team/members/${guest.id}`, account.liveKey);
    const data = { member_id: guest.id, user_id: guest.userId };
    expect(await told()).toEqual([
      {
        type: 'invite.accepted',
        data: { ...data, invite_id: expect.stringMatching(/^inv_/), role: 'member' },
      },
      { type: 'member.removed', data },
    ]);
    expect(receiver.received.map(({ body }) => body).join()).not.toContain(guest.email);
  });

  it('a bulk job is completed, canceled or failed: counts and links, no address', async () => {
    await listen('bulk_job.completed', 'bulk_job.canceled', 'bulk_job.failed');
    const done = await aBulkJob(world.app, account.liveKey, PAID(3));
    await workOn(world.app);
    const canceled = await aBulkJob(world.app, account.liveKey, PAID(2));
    await world.app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, account.liveKey);
    const failed = await aBulkJob(world.app, account.liveKey, PAID(2));
    await rowsOf(
      world.app,
      'DELETE FROM bulk_rows USING bulk_jobs j WHERE j.list = bulk_rows.list AND j.id = $1 AND idx = 0',
      [failed.id],
    );
    await workOn(world.app);
    const news = await told();
    expect(news.map(({ type, data }) => [type, data.job_id, data.processed])).toEqual([
      ['bulk_job.canceled', canceled.id, 0],
      ['bulk_job.completed', done.id, 3],
      ['bulk_job.failed', failed.id, expect.any(Number)],
    ]);
    expect(news[1]?.data).toMatchObject({
      total: 3,
      unique: 3,
      by_status: { undeliverable: 3 },
      mode: 'live',
    });
    const { links } = news[1]?.data as { links: { job: string; results: string } };
    const { publicUrl } = world.app.service.app.get(Config);
    expect(links).toEqual({
      job: `${publicUrl}/v1/bulk-jobs/${done.id}`,
      results: `${publicUrl}/v1/bulk-jobs/${done.id}/results`,
    });
    expect((await jobOf(world.app, account.liveKey, done.id)).status).toBe('completed');
    expect(receiver.received.map(({ body }) => body).join()).not.toContain('no address');
  });

  it('80 % of the quota are used, and all of it', async () => {
    await listen('quota.warning', 'quota.exceeded');
    for (const rows of [800, 200]) {
      await aBulkJob(world.app, account.liveKey, PAID(rows));
      await workOn(world.app);
    }
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(await told()).toEqual([
      { type: 'quota.exceeded', data: { mode: 'live', date, limit: 1000, used: 1000 } },
      { type: 'quota.warning', data: { mode: 'live', date, limit: 1000, used: 800 } },
    ]);
  });

  it('the subscription changes', async () => {
    await listen('subscription.updated');
    const events = world.app.service.app.get(Events);
    const data = { tier: 'growth', status: 'active', subscription_tier: 'growth', ends_at: null };
    await events.publish({ type: 'subscription.updated', teamId: account.team.id, data });
    expect(await told()).toEqual([{ type: 'subscription.updated', data }]);
  });

  it('another webhook is disabled, and for a test event', async () => {
    await listen('webhook.disabled');
    const other = await world.aWebhook(account.liveKey, `${receiver.url}/other`);
    await disable(other);
    await world.dispatchAndSend();
    await world.aTest(webhook, account);
    expect(await told()).toEqual([
      { type: 'webhook.disabled', data: { webhook_id: other.id, mode: 'live', reason: 'owner' } },
      { type: 'webhook.test', data: { webhook_id: webhook.id, mode: 'live' } },
    ]);
  });
});

describe('an event is delivered', () => {
  it('only to webhooks that subscribe to it, and only after they did', async () => {
    await listen('key.revoked');
    const made = await world.app.post('/v1/keys', account.liveKey).send({ name: 'new' });
    await world.app.delete(`/v1/keys/${(made.body as { id: string }).id}`, account.liveKey);
    const late = await world.aWebhook(account.liveKey, `${receiver.url}/late`);
    const disabled = await world.aWebhook(account.liveKey, `${receiver.url}/disabled`);
    await disable(disabled);
    await world.app.anAccount();
    await world.dispatchAndSend();
    const paths = receiver.received.map(({ path, body }) => [path, (JSON.parse(body) as WebhookBody).type]);
    expect(paths.filter(([path]) => path === '/hooks/disabled')).toEqual([]);
    expect(paths.filter(([, type]) => type === 'key.created')).toEqual([]);
    expect(paths.filter(([path]) => path === '/hooks')).toContainEqual(['/hooks', 'key.revoked']);
    const types = (await world.deliveries(late, account)).map(({ type }) => type);
    expect(types).toEqual(['webhook.disabled']);
  });

  it('from test keys to webhooks of mode test only, and from live keys to live ones only', async () => {
    await listen('key.created', 'bulk_job.completed');
    const test = await world.aWebhook(account.testKey, `${receiver.url}/test`);
    await aBulkJob(world.app, account.testKey, ['mailbox_not_found@example.com']);
    await workOn(world.app);
    await world.app.post('/v1/keys', account.liveKey).send({ name: 'new' });
    await world.dispatchAndSend();
    const types = async (of: TestWebhook) => (await world.deliveries(of, account)).map(({ type }) => type);
    expect([await types(test), await types(webhook)]).toEqual([['bulk_job.completed'], ['key.created']]);
    const [body] = receiver.bodies.filter(({ type }) => type.startsWith('bulk_job'));
    expect(body?.data).toMatchObject({ mode: 'test', by_reason: { mailbox_not_found: 1 } });
  });

  it('once to each webhook, however often it is dispatched', async () => {
    await listen('key.created');
    await world.app.post('/v1/keys', account.liveKey).send({ name: 'new' });
    await world.dispatchEvents();
    await rowsOf(world.app, 'UPDATE outbox SET dispatched_at = NULL, due_at = now()');
    await world.dispatchAndSend();
    expect(receiver.bodies.map(({ type }) => type)).toEqual(['key.created']);
  });
});

/** The body in the OpenAPI document. */
function exampleOf(type: string): WebhookBody {
  const body = document.webhooks?.[type]?.post?.requestBody as {
    content: Record<string, { example: WebhookBody }>;
  };
  return body.content['application/json']!.example;
}

describe('the event catalogue', () => {
  it.each(EVENT_TYPES.filter((type) => !('posted' in CATALOGUE[type])))(
    'publishes every member of the example of %s, and no other',
    (type) => {
      const { data } = exampleOf(type);
      const teamId = account.team.id;
      const published = publicEvent({ type, teamId, data: { ...data, internal: 'secret' } }, '');
      expect(published.data).toEqual(data);
      expect(() => publicEvent({ type, teamId, data: {} }, '')).toThrow(type);
    },
  );
});

describe('the OpenAPI document', () => {
  it('has a schema for every event type, and a valid example', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...EVENT_TYPES]);
    for (const type of EVENT_TYPES) answers.expectEvent(exampleOf(type));
  });
});

/** Last, since these tests advance the clock, and receivers refuse timestamps in the future. */
describe('the verdict of a deferred address', () => {
  const defer = async (domain: string) => {
    await listen('verification.completed');
    await world.app.get(`/v1/verify?email=jane@${domain}`, account.liveKey);
    world.app.clock.advance(5 * MINUTE_MS);
    await recheckOn(world.app);
  };

  it('is delivered once it is known, and stored encrypted only', async () => {
    await defer('one.mailworld');
    await world.dispatchEvents();
    const stored = await rowsOf(world.app, 'SELECT * FROM webhook_deliveries WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(JSON.stringify(stored)).not.toContain('jane');
    const [delivery] = await world.deliveries(webhook, account);
    const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}`;
    expect((await world.app.get(path, account.liveKey)).text).not.toContain('jane');
    await world.send();
    expect(receiver.bodies).toMatchObject([
      {
        type: 'verification.completed',
        data: {
          check_id: expect.stringMatching(/^chk_/),
          verdict: { email: 'jane@one.mailworld', reason: 'accepted_email', status: 'deliverable' },
        },
      },
    ]);
    answers.expectEvent(receiver.bodies[0] ?? { type: '' });
  });

  it('is not delivered once it was erased', async () => {
    await defer('two.mailworld');
    await world.dispatchEvents();
    world.app.clock.advance(31 * DAY_MS);
    await sweep(world.app, 'delete verdicts of rechecks');
    await world.send();
    expect(receiver.received).toEqual([]);
    expect(await world.deliveries(webhook, account)).toMatchObject([
      { status: 'failed', attempts: [{ status_code: null, error: 'content_erased' }], next_attempt_at: null },
    ]);
  });
});
