import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, resultsOf, upkeepOf, workOn } from '../../support/app/bulk.js';
import { statementsDuring } from '../../support/database/statements.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { expectProblem } from '../../support/http/problems.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

const MINUTE_MS = 60_000;
const GREYLISTED = '450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/';

const plain = mailboxes('jane', 'joe', 'ann', 'kim');

/** Defers the real address, not the random one. */
const greyOnce: SmtpBehaviour = {
  ...plain,
  rcpt: (asking) =>
    asking.recipient.startsWith('jane@') && asking.times === 1 ? GREYLISTED : plain.rcpt(asking),
};

const SCENES: MailScene[] = [
  { domain: 'grey.mailworld', story: 'greylists unknown clients once', servers: [greyOnce], expect: {} },
  {
    domain: 'shy.mailworld',
    story: 'puts everybody off, always',
    servers: [{ ...plain, rcpt: () => GREYLISTED }],
    expect: {},
  },
  { domain: 'plain.mailworld', story: 'answers', servers: [plain], expect: {} },
];

describe('rows whose server greylists', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp({ ...world.env, BULK_DEADLINE: '30m' });
  });
  beforeEach(async () => {
    account = await app.anAccount('starter');
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const later = async (minutes: number) => {
    app.clock.advance(minutes * MINUTE_MS);
    await workOn(app);
  };
  const job = (id: string) => jobOf(app, account.liveKey, id);
  const reasons = async (id: string) =>
    (await resultsOf(app, account.liveKey, id)).map((row) => ('reason' in row ? row.reason : null));
  const deferred = async () => {
    const rows = await app.service.app.get(DataSource).query<object[]>('SELECT FROM rechecks');
    return rows.length;
  };

  it('delay no other row, are rechecked after five minutes, and then end the job', async () => {
    const list = ['jane@grey.mailworld', 'jane@plain.mailworld', 'Jane@grey.mailworld'];
    const { id } = await aBulkJob(app, account.liveKey, list);
    await workOn(app);
    expect(await job(id)).toMatchObject({ status: 'running', processed: 1, eta_seconds: null });
    expect(await reasons(id)).toEqual([null, 'accepted_email', null]);
    await later(4);
    expect(await job(id)).toMatchObject({ status: 'running', processed: 1 });
    await later(1);
    expect(await job(id)).toMatchObject({
      status: 'completed',
      processed: 3,
      usage: { reserved: 2, charged: 2, returned: 0 },
    });
    expect(await reasons(id)).toEqual(['accepted_email', 'accepted_email', 'accepted_email']);
  });

  it('are rechecked after 5, 15 and 60 minutes, as far as the deadline allows', async () => {
    const patient = await anApp({ ...app.shared, ...world.env });
    const { id } = await aBulkJob(patient, account.liveKey, ['jane@shy.mailworld']);
    await workOn(patient);
    for (const minutes of [5, 10, 44]) {
      patient.clock.advance(minutes * MINUTE_MS);
      await workOn(patient);
      await upkeepOf(patient).closeOverdue();
      expect(await jobOf(patient, account.liveKey, id)).toMatchObject({ status: 'running' });
    }
    patient.clock.advance(MINUTE_MS);
    await workOn(patient);
    expect(await jobOf(patient, account.liveKey, id)).toMatchObject({
      status: 'completed',
      by_reason: { greylisted: 1 },
      usage: { reserved: 1, charged: 0, returned: 1 },
    });
    await patient.stop();
  });

  it('are completed as unknown at the deadline, counted from the last row that was not deferred', async () => {
    const { id } = await aBulkJob(app, account.liveKey, ['joe@shy.mailworld', 'joe@plain.mailworld']);
    await workOn(app);
    await later(29);
    await upkeepOf(app).closeOverdue();
    expect(await job(id)).toMatchObject({ status: 'running' });
    app.clock.advance(MINUTE_MS);
    expect(await upkeepOf(app).closeOverdue()).toBe(1);
    expect(await job(id)).toMatchObject({
      status: 'completed',
      by_status: { unknown: 1, deliverable: 1 },
      usage: { reserved: 2, charged: 1, returned: 1 },
    });
    expect(await deferred()).toBe(0);
  });

  it('are told with their next attempt and the end of the wait, and finish with what is known', async () => {
    const list = ['kim@shy.mailworld', 'Kim@shy.mailworld', 'kim@plain.mailworld'];
    const { id } = await aBulkJob(app, account.liveKey, list);
    const waits = { deferred: 0, next_attempt_at: null, deferred_until: null };
    expect(await job(id)).toMatchObject({ status: 'queued', ...waits });
    await workOn(app);
    const told = await job(id);
    const expected = { status: 'running', processed: 1, deferred: 2 };
    expect(told).toMatchObject(expected);
    const minutesTo = (time: string | null) =>
      Math.round((Date.parse(time ?? '') - app.clock.now().getTime()) / MINUTE_MS);
    expect([minutesTo(told.next_attempt_at), minutesTo(told.deferred_until)]).toEqual([5, 30]);
    expect((await app.get('/v1/bulk-jobs', account.liveKey)).body).toMatchObject({ data: [expected] });
    const path = `/v1/bulk-jobs/${id}/finish`;
    expectProblem(await app.post(path, (await app.anAccount()).liveKey), 404, 'not_found');
    const ended = { ...waits, status: 'completed', processed: 3, by_reason: { greylisted: 2 } };
    expect(await app.post(path, account.liveKey)).toMatchObject({ status: 200, body: ended });
    expect(await app.post(path, account.liveKey)).toMatchObject({ status: 200, body: ended });
    expect(await reasons(id)).toEqual(['greylisted', 'greylisted', 'accepted_email']);
    expect(await deferred()).toBe(0);
  });

  it('are completed in short transactions, also with an Idempotency-Key', async () => {
    const { id } = await aBulkJob(app, account.liveKey, ['pat@shy.mailworld']);
    await workOn(app);
    const dataSource = app.service.app.get(DataSource);
    const pattern = /^(COMMIT$|SELECT .* FROM "bulk_jobs" .* FOR UPDATE)/s;
    const statements = await statementsDuring(dataSource, pattern, () =>
      app.post(`/v1/bulk-jobs/${id}/finish`, account.liveKey).set('Idempotency-Key', id),
    );
    const locks = statements.flatMap((statement, at) => (statement.endsWith('UPDATE') ? [at] : []));
    // One for the row, and one that finds none.
    expect(locks).toHaveLength(2);
    expect(statements.slice(...locks)).toContain('COMMIT');
    expect((await job(id)).status).toBe('completed');
  });

  it('stay unanswered and are released when the job is canceled', async () => {
    const { id } = await aBulkJob(app, account.liveKey, ['ann@shy.mailworld', 'ann@plain.mailworld']);
    await workOn(app);
    await app.post(`/v1/bulk-jobs/${id}/cancel`, account.liveKey);
    await later(60);
    expect(await reasons(id)).toEqual([null, 'accepted_email']);
    expect(await job(id)).toMatchObject({
      status: 'canceled',
      usage: { reserved: 2, charged: 1, returned: 1 },
    });
    expect(await deferred()).toBe(0);
  });

  it('are answered at once under a test key', async () => {
    const { id } = await aBulkJob(app, account.testKey, ['greylisted@example.com']);
    await workOn(app);
    expect(await jobOf(app, account.testKey, id)).toMatchObject({
      status: 'completed',
      by_reason: { greylisted: 1 },
    });
  });

  it('that were verified before are served from facts, and probed again with refresh', async () => {
    const first = await aBulkJob(app, account.liveKey, ['kim@plain.mailworld']);
    await workOn(app);
    const again = await aBulkJob(app, account.liveKey, ['KIM@plain.mailworld']);
    await later(2);
    const fresh = await aBulkJob(app, account.liveKey, ['kim@plain.mailworld'], { refresh: true });
    await workOn(app);
    const cached = [];
    for (const { id } of [first, again, fresh])
      cached.push(...(await resultsOf(app, account.liveKey, id)).map((row) => 'cached' in row && row.cached));
    expect(cached).toEqual([false, true, false]);
  });
});
