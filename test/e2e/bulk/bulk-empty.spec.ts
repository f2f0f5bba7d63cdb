import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, resultsOf, sendList, workOn } from '../../support/app/bulk.js';

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

describe('rows without an address', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  const quota = async (key: string) => (await app.get('/v1/usage', key)).body as UsageTodayResponse;
  const submitted = async (key: string, body: string, type: string) => {
    const answer = await sendList(app, key, body, type);
    expect(answer.status).toBe(202);
    return answer.body as BulkJobResponse;
  };

  it('cost nothing, and are neither duplicates nor undeliverable', async () => {
    const { liveKey } = await app.anAccount('starter');
    // Without a network a text that is no address is the one that is charged.
    const list =
      'Name,email\nAnn,no idea\nBen,\nCem,\u00a0 \nDan,no idea\nEva,jane@nowhere.rcpt-test.net\nFay,\u200b\n';
    const job = await submitted(liveKey, list, CSV);
    expect(job).toMatchObject({ total: 6, empty: 3, unique: 2, duplicates: 1, processed: 3 });
    expect(job.usage).toEqual({ reserved: 2, charged: 0, returned: 0 });
    await workOn(app);
    expect(await jobOf(app, liveKey, job.id)).toMatchObject({
      status: 'completed',
      processed: 6,
      by_status: { undeliverable: 2, unknown: 1 },
      usage: { reserved: 2, charged: 1, returned: 1 },
    });
    expect(await quota(liveKey)).toMatchObject({ quota: { used: 1, reserved: 0 }, bulk: 3 });
    const breakdown = await app.get(`/v1/bulk-jobs/${job.id}/breakdown?by=domain`, liveKey);
    const { groups } = breakdown.body as { groups: { rows: number }[] };
    expect(groups.reduce((sum, { rows }) => sum + rows, 0)).toBe(3);
  });

  it('stay in their places in the results, without a verdict, in every format', async () => {
    const { testKey } = await app.anAccount();
    const lists: [string, string][] = [
      ['Name,email\nAnn,ann@example.com\nBen,\nCem,cem@example.com\n', CSV],
      ['"ann@example.com"\n{"email":"","ref":"b"}\n"cem@example.com"\n', NDJSON],
      ['{"emails":["ann@example.com",{"email":" "},"cem@example.com"]}', 'application/json'],
    ];
    for (const [list, type] of lists) {
      const { id } = await submitted(testKey, list, type);
      await workOn(app);
      const rows = await resultsOf(app, testKey, id);
      expect(rows.map(({ status }) => status)).toEqual(['deliverable', null, 'deliverable']);
      expect(rows.map(({ index }) => index)).toEqual([0, 1, 2]);
      expect(await resultsOf(app, testKey, id, '&status=deliverable')).toHaveLength(2);
      const csv = await app
        .get(`/v1/bulk-jobs/${id}/results?columns=email,status`, testKey)
        .set('Accept', CSV);
      expect(csv.text).toMatch(
        /^email,status\nann@example.com,deliverable\n\s?,\ncem@example.com,deliverable\n$/,
      );
    }
  });

  it('do not hold up the end of a list, and are counted in its event', async () => {
    const { testKey, team } = await app.anAccount();
    await aBulkJob(app, testKey, ['ann@example.com', '', '']);
    await workOn(app);
    const [event] = await app.service.app
      .get(DataSource)
      .query<{ data: object }[]>(
        `SELECT data FROM outbox WHERE type = 'bulk_job.completed' AND team_id = $1`,
        [team.id],
      );
    expect(event?.data).toMatchObject({ total: 3, empty: 2, unique: 1, processed: 3 });
  });

  it('may be canceled and deleted with their list', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, ['ann@example.com', '', '']);
    const canceled = await app.post(`/v1/bulk-jobs/${id}/cancel`, testKey);
    expect(canceled.body).toMatchObject({ status: 'canceled', processed: 2, empty: 2 });
    await app.delete(`/v1/bulk-jobs/${id}`, testKey);
    await workOn(app);
    expect((await app.get(`/v1/bulk-jobs/${id}`, testKey)).status).toBe(404);
  });

  it.each([
    ['JSON', '{"emails":["", " "]}', 'application/json'],
    ['NDJSON', '""\n{"email":""}\n', NDJSON],
    ['a CSV with one row', 'Name,email\nAnn,\n', CSV],
  ])('are no list by themselves: %s', async (_, list, type) => {
    const { testKey } = await app.anAccount();
    const answer = await sendList(app, testKey, list, type);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/emails', code: 'no_address' }] },
    });
    expect((await app.get('/v1/bulk-jobs', testKey)).body).toMatchObject({ data: [] });
  });
});
