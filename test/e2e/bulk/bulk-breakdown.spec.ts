import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { withLockedTable } from '../../support/database/locked-table.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

describe('the breakdown of a bulk job', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    ({ testKey: key } = await app.anAccount());
  });
  afterAll(() => app.stop());

  const breakdown = (id: string, query: string, caller = key) =>
    app.get(`/v1/bulk-jobs/${id}/breakdown${query}`, caller);

  it('counts the rows of the 20 largest domains by status, duplicates included, and those of the others', async () => {
    const many = Array.from({ length: 25 }, (_, n) => [`a@d${n}.example`, `b@d${n}.example`]).flat();
    const emails = ['a@BIG.example', 'a@big.example', 'a+null_mx@big.example', 'no domain', ...many];
    const { id } = await aBulkJob(app, key, emails);
    expect((await breakdown(id, '?by=domain')).body).toEqual({
      by: 'domain',
      groups: [],
      other: { rows: 0, by_status: {} },
    });
    await workOn(app);
    const response = await breakdown(id, '?by=domain');
    expect(response.status).toBe(200);
    const { groups, other } = response.body as { groups: { name: string }[]; other: unknown };
    expect(groups[0]).toEqual({
      name: 'big.example',
      rows: 3,
      by_status: { deliverable: 2, undeliverable: 1 },
    });
    expect(groups).toHaveLength(20);
    expect(groups[1]).toMatchObject({ name: 'd0.example', rows: 2 });
    expect(other).toEqual({ rows: 13, by_status: { deliverable: 12, undeliverable: 1 } });
  });

  it('counts the rows of each provider; one that is not known has no name', async () => {
    const { id } = await aBulkJob(app, key, [
      'a@x.example',
      'b@x.example',
      'b@x.example',
      'c@y.example',
      '@',
    ]);
    await workOn(app);
    await app.service.app.get(DataSource).query(
      `UPDATE bulk_results SET verdict = jsonb_set(verdict::jsonb, '{dns,provider}', '"google"')
        WHERE verdict ->> 'email' LIKE '%@x.example'`,
    );
    expect((await breakdown(id, '?by=provider')).body).toEqual({
      by: 'provider',
      groups: [
        { name: 'google', rows: 3, by_status: { deliverable: 3 } },
        { name: null, rows: 2, by_status: { deliverable: 1, undeliverable: 1 } },
      ],
      other: { rows: 0, by_status: {} },
    });
  });

  it('is not there for other teams, and refuses other groups', async () => {
    const { id } = await aBulkJob(app, key, ['a@x.example']);
    const other = await app.anAccount();
    expectProblem(await breakdown(id, '?by=domain', other.testKey), 404, 'not_found');
    for (const query of ['?by=', '?by=reason']) {
      const problem = expectProblem(await breakdown(id, query), 400, 'invalid_request');
      expect(fieldErrorsOf(problem)[0]).toContain('/by');
    }
  });

  it('is read for one list at a time, and four requests of a team wait at most', async () => {
    const { id } = await aBulkJob(app, key, ['a@x.example']);
    const dataSource = app.service.app.get(DataSource);
    const requests = await withLockedTable(dataSource, 'bulk_row_reasons', async (waiting) => {
      const sent = Array.from({ length: 5 }, () => breakdown(id, '?by=domain').then((response) => response));
      expectProblem(await Promise.race(sent), 429, 'rate_limited');
      expect(await waiting()).toBe(1);
      return { sent };
    });
    const statuses = (await Promise.all(requests.sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 429]);
  });
});
