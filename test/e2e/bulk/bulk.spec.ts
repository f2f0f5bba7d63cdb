import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { REASONS } from '../../../src/kernel/verdict.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, resultsOf, verifyOn, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

/** For which results are collected. */
const COLLECT_MS = 250;

describe('a bulk job', () => {
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    answers = await ResponseValidator.published(app);
  });
  afterAll(() => app.stop());

  it('is accepted with 202, Location and Retry-After', async () => {
    const answer = await app
      .post('/v1/verify/bulk', account.testKey)
      .send({ emails: ['jane@example.com', 'JANE@example.com', 'joe@example.com'], name: 'Spring' });
    expect(answer.status).toBe(202);
    answers.expect('POST', '/v1/verify/bulk', answer);
    const job = answer.body as { id: string };
    expect(answer.headers.location).toBe(`/v1/bulk-jobs/${job.id}`);
    expect(answer.headers['retry-after']).toBe('5');
    expect(job).toMatchObject({
      name: 'Spring',
      status: 'queued',
      total: 3,
      unique: 2,
      duplicates: 1,
      processed: 0,
      started_at: null,
      finished_at: null,
      expires_at: null,
    });
  });

  it('answers every row once, in input order, with its ref and its spelling', async () => {
    const emails = [
      { email: 'jane@example.com', ref: '1' },
      'JANE@example.com',
      'mailbox_not_found@example.com',
      { email: 'no address', ref: null },
      'jane@EXAMPLE.com',
    ];
    const { id } = await aBulkJob(app, account.testKey, emails);
    const before = await resultsOf(app, account.testKey, id);
    expect(before.map(({ status }) => status)).toEqual([null, null, null, null, null]);
    await workOn(app);
    const rows = await resultsOf(app, account.testKey, id);
    expect(rows).toMatchObject([
      { index: 0, ref: '1', email: 'jane@example.com', normalized_email: 'jane@example.com' },
      { index: 1, ref: null, email: 'JANE@example.com', normalized_email: 'JANE@example.com' },
      { index: 2, ref: null, reason: 'mailbox_not_found' },
      { index: 3, ref: null, email: 'no address', reason: 'invalid_syntax', normalized_email: null },
      { index: 4, ref: null, email: 'jane@EXAMPLE.com', normalized_email: 'jane@example.com' },
    ]);
    expect(await jobOf(app, account.testKey, id)).toMatchObject({
      status: 'completed',
      total: 5,
      unique: 3,
      duplicates: 2,
      processed: 5,
      by_status: { deliverable: 3, undeliverable: 2, risky: 0, unknown: 0 },
      by_reason: { accepted_email: 3, mailbox_not_found: 1, invalid_syntax: 1 },
      usage: { reserved: 0, charged: 0, returned: 0 },
      eta_seconds: null,
    });
  });

  it('can produce every reason under a test key, as documented', async () => {
    const { id } = await aBulkJob(
      app,
      account.testKey,
      REASONS.map((reason) => `${reason}@example.com`),
    );
    await workOn(app);
    const answer = await app.get(`/v1/bulk-jobs/${id}/results`, account.testKey);
    answers.expect('GET', '/v1/bulk-jobs/{id}/results', answer);
    const rows = (answer.body as { data: { reason: string }[] }).data;
    expect(rows.map(({ reason }) => reason)).toEqual([...REASONS]);
    answers.expect('GET', '/v1/bulk-jobs/{id}', await app.get(`/v1/bulk-jobs/${id}`, account.testKey));
    answers.expect('GET', '/v1/bulk-jobs', await app.get('/v1/bulk-jobs', account.testKey));
  });

  it('is created once per Idempotency-Key, for every format and number of retries', async () => {
    const before = (await app.get('/v1/bulk-jobs?limit=100', account.testKey)).body as { data: unknown[] };
    const send = (email: string) =>
      app
        .post('/v1/verify/bulk', account.testKey)
        .set('Idempotency-Key', 'one-list')
        .set('Content-Type', 'application/x-ndjson')
        .send(`"${email}"\n`);
    const first = await send('jane@example.com');
    const again = await send('jane@example.com');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.body).toEqual(first.body);
    expectProblem(await send('joe@example.com'), 422, 'idempotency_key_reused');
    const after = (await app.get('/v1/bulk-jobs?limit=100', account.testKey)).body as { data: unknown[] };
    expect(after.data).toHaveLength(before.data.length + 1);
  });

  it('ends without waiting for results that are recorded together', async () => {
    // One is known without the network, and the other is not.
    const { id } = await aBulkJob(app, account.liveKey, ['no address', 'jane@corp.example']);
    const { setTimeout: real } = globalThis;
    const timers = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((act: () => void, ms: number, ...args: []) =>
        real(act, ms === COLLECT_MS ? 3_600_000 : ms, ...args)) as typeof setTimeout);
    await verifyOn(app).finally(() => timers.mockRestore());
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({ status: 'completed', processed: 2 });
  });

  it('is visible to keys of its mode and team only', async () => {
    const { id } = await aBulkJob(app, account.testKey, ['a@example.com']);
    const stranger = await app.anAccount();
    for (const key of [account.liveKey, stranger.liveKey, stranger.testKey]) {
      expectProblem(await app.get(`/v1/bulk-jobs/${id}`, key), 404, 'not_found');
      expectProblem(await app.get(`/v1/bulk-jobs/${id}/results`, key), 404, 'not_found');
      expectProblem(await app.post(`/v1/bulk-jobs/${id}/cancel`, key), 404, 'not_found');
      expectProblem(await app.delete(`/v1/bulk-jobs/${id}`, key), 404, 'not_found');
    }
    expect((await jobOf(app, account.testKey, id)).status).toBe('queued');
  });
});
