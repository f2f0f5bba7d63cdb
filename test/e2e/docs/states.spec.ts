import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import {
  computeEntitlement,
  type Entitlement,
} from '../../../src/modules/billing/billing/domain/entitlement.js';
import {
  SUBSCRIPTION_STATES,
  type Subscription,
} from '../../../src/modules/billing/billing/domain/subscription.js';
import { DeliveryRepository } from '../../../src/modules/events/webhooks/domain/delivery.repository.js';
import { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import { Erasures } from '../../../src/platform/database/erasure/erasures.js';
import {
  aBulkJob,
  aHeldJob,
  recheckOn,
  upkeepOf,
  verifyNext,
  verifyOn,
  workOn,
} from '../../support/app/bulk.js';
import { rowsOf } from '../../support/app/joins.js';
import { sweep } from '../../support/database/growing-tables.js';
import { noteStateChanges, stateChangesOf } from '../../support/database/state-changes.js';
import { drawn, expectDrawn } from '../../support/docs/drawn-states.js';
import { RawClient } from '../../support/http/raw-client.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { recipients } from '../../support/smtp/smtp-behaviours.js';
import { advanceRuns, newestRun, serve } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import { answering, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** After this time an upload was interrupted, and its deletion too. */
const WAITED_MS = 20 * MINUTE_MS;

describe('the diagram of', () => {
  let mail: MailWorld;
  let world: WebhookApp;
  let account: NewAccount;

  beforeAll(async () => {
    const unwilling = { servers: [recipients({}, '451 4.7.1 Greylisted')], story: 'greylists', expect: {} };
    mail = await MailWorld.start({ scenes: [{ ...unwilling, domain: 'later.mailworld' }] });
    world = await WebhookApp.start(mail.env);
    await noteStateChanges(world.app, {
      bulk_jobs: 'r.state',
      schedule_runs: 'r.state',
      rechecks: `CASE WHEN r.lease IS NOT NULL THEN 'running' WHEN r.due_at IS NULL THEN 'completed' ELSE 'waiting' END`,
      webhook_deliveries: `CASE WHEN r.lease IS NOT NULL THEN 'sending' ELSE r.status END`,
    });
    account = await world.app.anAccount('growth');
  });
  afterAll(async () => {
    await world.stop();
    await mail.stop();
  });

  const sql = (statement: string, values: unknown[] = []) => rowsOf(world.app, statement, values);
  const remove = (path: string) => world.app.delete(path, account.liveKey);
  const aList = (emails = ['no address'], key = account.liveKey) => aBulkJob(world.app, key, emails);
  const erase = () => upkeepOf(world.app).deleteDue();

  it('a list has the changes that lists have', async () => {
    const { app } = world;
    const completed = await aList();
    await verifyOn(app);
    const failed = await aList(['no address', 'nor this']);
    await sql('DELETE FROM bulk_rows WHERE idx = 0 AND list = (SELECT list FROM bulk_jobs WHERE id = $1)', [
      failed.id,
    ]);
    await verifyOn(app);
    const canceled = await aList();
    await app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, account.liveKey);
    const running = await aList(['jane@later.mailworld']);
    await verifyNext(app);
    await app.post(`/v1/bulk-jobs/${running.id}/cancel`, account.liveKey);
    const started = await aHeldJob(app, account.liveKey, ['no address']);
    await app.post(`/v1/bulk-jobs/${started.id}/start`, account.liveKey);
    await app.post(`/v1/bulk-jobs/${started.id}/cancel`, account.liveKey);
    const held = await aHeldJob(app, account.liveKey, ['no address']);
    for (const { id } of [completed, failed, canceled, running, started, held])
      await remove(`/v1/bulk-jobs/${id}`);
    const client = await RawClient.connect(Number(new URL(app.url).port));
    await client.send(
      `POST /v1/verify/bulk HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${account.liveKey}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n${`"jane@example.com"\n`.repeat(3_000)}`,
    );
    const receiving = () => sql(`SELECT FROM bulk_jobs WHERE state = 'receiving'`);
    while ((await receiving()).length === 0);
    client.close();
    while ((await receiving()).length > 0);
    app.clock.advance(WAITED_MS);
    await erase();
    await expectDrawn('A list', await stateChangesOf(app, 'bulk_jobs'));
  });

  it('a recheck has the changes that rechecks have', async () => {
    const { app } = world;
    // Of a single check: deferred again twice, then completed, and erased a month later.
    await app.get('/v1/verify?email=single@later.mailworld', account.liveKey);
    for (const minutes of [5, 10, 45]) {
      app.clock.advance(minutes * MINUTE_MS);
      await recheckOn(app);
    }
    // Of a list that waits for its last recheck, and of one that is deleted before.
    await aList(['listed@later.mailworld']);
    await verifyOn(app);
    for (const minutes of [5, 10, 45]) {
      app.clock.advance(minutes * MINUTE_MS);
      await workOn(app);
    }
    const other = await aList(['other@later.mailworld']);
    await verifyOn(app);
    await remove(`/v1/bulk-jobs/${other.id}`);
    app.clock.advance(31 * DAY_MS);
    await sweep(app, 'delete verdicts of rechecks');
    await expectDrawn('A recheck', await stateChangesOf(app, 'rechecks'));
  });

  it('a run has the changes that runs have', async () => {
    const { app } = world;
    const [source, listmonk] = [await world.aReceiver(), await ScriptedListmonk.start()];
    listmonk.add('gone@list.invalid');
    serve(source, 'email\none@list.invalid\n');
    const aSchedule = async (from: object = { kind: 'url', url: source.url }, more: object = {}) => {
      const body = { name: 'A list', every: 'day', source: from, ...more };
      const answer = await app.post('/v1/schedules', account.liveKey).send(body);
      return `/v1/schedules/${(answer.body as { id: string }).id}`;
    };
    const request = (path: string) => app.post(`${path}/run`, account.liveKey);
    const verified = async () => {
      await advanceRuns(app);
      await verifyOn(app);
      await app.dispatchEvents();
    };
    const completed = await aSchedule();
    for (let run = 0; run < 2; run++) {
      await request(completed);
      await verified();
      await advanceRuns(app);
    }
    const [canceled, verifying] = [await aSchedule(), await aSchedule()];
    for (const path of [canceled, verifying]) await request(path);
    await advanceRuns(app);
    const { job_id: list } = await newestRun(app, canceled, account.liveKey);
    await app.post(`/v1/bulk-jobs/${list}/cancel`, account.liveKey);
    await app.dispatchEvents();
    const action = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const refused = await aSchedule(listmonk.source(), action);
    await request(refused);
    await advanceRuns(app);
    await remove(verifying);
    await app.service.app.get(Erasures).run();
    await verified();
    // Of one subscriber, and of all.
    listmonk.failures.push(403, 403);
    await advanceRuns(app);
    const bound = { on_result: { ...action.on_result, max_blocklisted: { share: 0, count: 0 } } };
    const asking: string[] = [];
    for (const answer of ['confirm', 'discard', 'none']) {
      listmonk.add(`${answer}@list.invalid`);
      const path = await aSchedule(listmonk.source(), bound);
      asking.push(path);
      await request(path);
      await verified();
      await advanceRuns(app);
      const { id } = await newestRun(app, path, account.liveKey);
      if (answer !== 'none') await app.post(`${path}/runs/${id}/${answer}`, account.liveKey);
    }
    await advanceRuns(app);
    const writing = await aSchedule();
    await request(writing);
    await verified();
    const [failed, queued] = [await aSchedule(), await aSchedule()];
    source.behave = answering(401);
    await remove(writing);
    await app.service.app.get(Erasures).run();
    await request(failed);
    await advanceRuns(app);
    await request(queued);
    for (const path of [completed, canceled, refused, failed, queued, ...asking]) await remove(path);
    await app.service.app.get(Erasures).run();
    await listmonk.stop();
    await expectDrawn('A run', await stateChangesOf(app, 'schedule_runs'));
  });

  describe('a delivery', () => {
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      receiver = await world.aReceiver();
    });

    /** A webhook with one delivery, which was sent if there is a response. */
    const delivered = async (status: number | null) => {
      if (status !== null) receiver.behave = answering(status);
      const webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test'] });
      const { id } = await world.aTest(webhook, account);
      if (status !== null) await world.send();
      const path = `/v1/webhooks/${webhook.id}`;
      return { path, retry: () => world.app.post(`${path}/deliveries/${id}/retry`, account.liveKey) };
    };
    const disable = (path: string) =>
      world.app.request('patch', path, account.liveKey).send({ enabled: false });

    it('has the changes that deliveries have', async () => {
      const { app } = world;
      const sent = [await delivered(204), await delivered(410)];
      for (const { retry } of sent) await retry();
      await world.send();
      const kept = await delivered(204);
      const again = await delivered(500);
      await disable(again.path);
      const waiting = await delivered(null);
      const claimed = await app.service.app
        .get(UnitOfWork)
        .run(() => app.service.app.get(DeliveryRepository).claim(account.team.id));
      expect(claimed).not.toBeNull();
      const pending = await delivered(null);
      for (const { path } of [...sent, again, waiting, pending, kept]) await remove(path);
      await app.service.app.get(Erasures).run();
      await expectDrawn('A delivery', await stateChangesOf(app, 'webhook_deliveries'));
    });
  });

  it('a subscription has the changes that synchronizations make', async () => {
    const now = new Date('2026-06-01T00:00:00Z');
    const before = new Date(now.getTime() - DAY_MS);
    const subscription: Subscription = {
      id: 'sub_1',
      state: 'active',
      tier: 'growth',
      startedAt: before,
      endsAt: null,
      failedAt: null,
    };
    const of = (changes: Partial<Subscription>): Subscription[] => [{ ...subscription, ...changes }];
    const longAgo = new Date(now.getTime() - 8 * DAY_MS);
    /** What Stripe can report; all other than these are states of Stripe by their name. */
    const reports = new Map<string, Subscription[]>([
      ['no subscription', []],
      ...SUBSCRIPTION_STATES.map((state) => [state, of({ state })] as const),
      ['its end', of({ endsAt: before })],
      ['the end of the grace period', of({ state: 'past_due', failedAt: longAgo })],
      ['an unknown state', of({ state: null })],
      ['an unknown price', of({ tier: null })],
    ]);
    const entitled = (subscriptions: readonly Subscription[], current: Entitlement) =>
      computeEntitlement(subscriptions, { now, graceMs: 7 * DAY_MS, tiers: ['free', 'growth'], current });
    const nameOf = ({ tier, state }: Entitlement) =>
      tier === null ? 'none' : state === 'past_due' ? 'grace' : 'paid';
    const none: Entitlement = { tier: null, state: null, endsAt: null };
    const arrows = new Map<string, string[]>();
    const reached = new Map([[nameOf(none), none]]);
    // From each state that is reached, with everything that can be reported.
    for (const [from, current] of reached)
      for (const [report, subscriptions] of reports) {
        const next = entitled(subscriptions, current);
        const to = nameOf(next);
        if (to === from) continue;
        if (!reached.has(to)) reached.set(to, next);
        arrows.set(`${from} --> ${to}`, [...(arrows.get(`${from} --> ${to}`) ?? []), report]);
      }
    const seen = [...arrows].map(([arrow, by]) => `${arrow}: ${by.join(', ')}`);
    expect(['[*] --> none', ...seen].sort()).toEqual((await drawn('A subscription', true)).sort());
  });
});
