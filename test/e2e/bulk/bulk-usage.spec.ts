import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

/** No network here: a valid address is `unknown / dns_error` and free, an invalid one costs one unit. */
const PAID = (n: number) => Array.from({ length: n }, (_, i) => `no address ${i}`);
const FREE = (n: number) => Array.from({ length: n }, (_, i) => `jane${i}@nowhere.rcpt-test.net`);

describe('the cost of a bulk job', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  const quota = async (key: string) => (await app.get('/v1/usage', key)).body as UsageTodayResponse;
  const submit = (key: string, emails: unknown[], more = {}) =>
    app.post('/v1/verify/bulk', key).send({ emails, ...more });

  it('is reserved per address at submission, and free verdicts are released', async () => {
    const { liveKey } = await app.anAccount('starter');
    const { id } = await aBulkJob(app, liveKey, [...PAID(5), ...PAID(2), ...FREE(3)]);
    expect(await quota(liveKey)).toMatchObject({ quota: { limit: 1000, used: 0, reserved: 8 }, bulk: 0 });
    expect((await jobOf(app, liveKey, id)).usage).toEqual({ reserved: 8, charged: 0, returned: 0 });
    await workOn(app);
    expect(await quota(liveKey)).toMatchObject({
      quota: { used: 5, reserved: 0, remaining: 995 },
      bulk: 10,
      total: 10,
      free: 5,
      by_status: { undeliverable: 7, unknown: 3 },
    });
    expect(await jobOf(app, liveKey, id)).toMatchObject({
      status: 'completed',
      by_status: { undeliverable: 7, unknown: 3 },
      usage: { reserved: 8, charged: 5, returned: 3 },
    });
  });

  it('is released for unfinished rows of a canceled job', async () => {
    const { liveKey } = await app.anAccount('starter');
    const { id } = await aBulkJob(app, liveKey, PAID(7));
    const canceled = await app.post(`/v1/bulk-jobs/${id}/cancel`, liveKey);
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      processed: 0,
      usage: { reserved: 7, charged: 0, returned: 7 },
    });
    await workOn(app);
    expect(await quota(liveKey)).toMatchObject({ quota: { used: 0, reserved: 0 }, bulk: 0 });
    expect(await jobOf(app, liveKey, id)).toMatchObject({ status: 'canceled', processed: 0 });
  });

  it('is zero under a test key, and not counted', async () => {
    const { liveKey, testKey } = await app.anAccount('starter');
    await aBulkJob(app, testKey, ['a@example.com', 'mailbox_not_found@example.com']);
    await workOn(app);
    expect(await quota(liveKey)).toMatchObject({ quota: { used: 0, reserved: 0 }, bulk: 0 });
  });

  it('is refused as a whole with 429 when the quota is too low, without leaving data', async () => {
    const { liveKey } = await app.anAccount('starter');
    await aBulkJob(app, liveKey, PAID(996));
    const refused = await submit(liveKey, PAID(5));
    expectProblem(refused, 429, 'daily_quota_exceeded');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await quota(liveKey)).quota.reserved).toBe(996);
    const jobs = (await app.get('/v1/bulk-jobs', liveKey)).body as { data: unknown[] };
    expect(jobs.data).toHaveLength(1);
    // Four addresses fit, including duplicates.
    await aBulkJob(app, liveKey, [...PAID(4), ...PAID(4)]);
    expectProblem(await submit(liveKey, PAID(1)), 429, 'daily_quota_exceeded');
  });

  it('is 402 for a tier without bulk, before the body is read', async () => {
    const { liveKey, testKey } = await app.anAccount('free');
    const problem = expectProblem(await submit(liveKey, []), 402, 'upgrade_required');
    expect(problem).toMatchObject({ tier: 'free', required_tier: 'starter', feature: 'bulk' });
    expect((await submit(testKey, ['a@example.com'])).status).toBe(202);
  });

  it('is 413 with more rows than the tier allows, including duplicates', async () => {
    const { liveKey } = await app.anAccount('starter');
    const same = new Array<string>(1_001).fill('no address');
    const problem = expectProblem(await submit(liveKey, same), 413, 'bulk_too_large');
    expect(problem).toMatchObject({ limit: 1000 });
    expect((await quota(liveKey)).quota).toMatchObject({ used: 0, reserved: 0 });
  });

  it('is 413 when the body exceeds the maximum size of such a list', async () => {
    const { liveKey } = await app.anAccount('starter');
    const emails = PAID(900).map((email) => ({ email: email.padEnd(1_200), ref: null }));
    expectProblem(await submit(liveKey, emails), 413, 'payload_too_large');
    expectProblem(
      await submit(
        liveKey,
        PAID(1).map((email) => email.padEnd(1_000_001)),
      ),
      413,
      'payload_too_large',
    );
  });

  it('is limited by jobs under a test key: one at a time, 20 per day, including deleted ones', async () => {
    const { testKey } = await app.anAccount('scale');
    for (let job = 0; job < 20; job++) {
      const { id } = await aBulkJob(app, testKey, ['a@example.com']);
      if (job === 0) expectProblem(await submit(testKey, ['b@example.com']), 429, 'rate_limited');
      if (job % 2 === 0) expect((await app.delete(`/v1/bulk-jobs/${id}`, testKey)).status).toBe(204);
      else await workOn(app);
    }
    expectProblem(await submit(testKey, ['b@example.com']), 429, 'daily_quota_exceeded');
  });

  it('allows 10,000 rows under a test key, or the limit of the tier if that is higher', async () => {
    const { testKey } = await app.anAccount('starter');
    const many = Array.from({ length: 10_001 }, (_, i) => `p${i}@example.com`);
    const problem = expectProblem(await submit(testKey, many), 413, 'bulk_too_large');
    expect(problem).toMatchObject({ limit: 10_000 });
    expect((await submit(testKey, many.slice(1))).body).toMatchObject({ total: 10_000 });
    const { testKey: larger } = await app.anAccount('scale');
    expect((await submit(larger, many)).body).toMatchObject({ total: 10_001 });
  });
});
