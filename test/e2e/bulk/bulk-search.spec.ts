import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, resultsOf, workOn } from '../../support/app/bulk.js';
import { withLockedTable } from '../../support/database/locked-table.js';
import { expectProblem } from '../../support/http/problems.js';

describe('the search in the results of a bulk job', () => {
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
  });
  afterAll(() => app.stop());

  it('finds rows by a part of the address as it was sent, with filters, pages and as a stream', async () => {
    const sent = [
      'Jane_1@Example.com',
      'jane%1@example.com',
      'jane\\1@example.com',
      'janeX1@example.com',
      ' joe@Web.example',
    ];
    const list = [...sent, 'jane_1+null_mx@example.com', 'no address'];
    const { id } = await aBulkJob(app, account.testKey, list);
    await workOn(app);
    const found = async (q: string, more = '') => {
      const query = `&q=${encodeURIComponent(q)}${more}`;
      return (await resultsOf(app, account.testKey, id, query)).map(({ index }) => index);
    };
    expect(await found('E_1')).toEqual([0, 5]);
    expect(await found('e%1')).toEqual([1]);
    expect(await found('e\\1')).toEqual([2]);
    expect(await found('@EXAMPLE.', '&status=deliverable')).toEqual([0, 1, 3]);
    expect(await found('e_1', '&status=undeliverable&reason=null_mx')).toEqual([5]);
    expect(await found('e_1', '&reason=timeout')).toEqual([]);
    expect(await found('NO ADD')).toEqual([6]);
    expect(await found('nobody')).toEqual([]);
    const path = `/v1/bulk-jobs/${id}/results?q=jane&limit=3`;
    const first = (await app.get(path, account.testKey)).body as { data: unknown[]; next_cursor: string };
    expect(first.data).toHaveLength(3);
    const rest = await app.get(`${path}&cursor=${first.next_cursor}`, account.testKey);
    expect(rest.body).toMatchObject({ data: [{ index: 3 }, { index: 5 }], next_cursor: null });
    const other = await app.get(
      `/v1/bulk-jobs/${id}/results?q=joe&cursor=${first.next_cursor}`,
      account.testKey,
    );
    expectProblem(other, 400, 'invalid_cursor');
    const csv = await app
      .get(`/v1/bulk-jobs/${id}/results?q=JOE&columns=email,status`, account.testKey)
      .set('Accept', 'text/csv');
    expect(csv.text).toBe('email,status\n joe@Web.example,deliverable\n');
  });

  it('runs one search at a time for each team, and refuses the ninth', async () => {
    const { id } = await aBulkJob(app, account.testKey, ['jane@example.com']);
    const dataSource = app.service.app.get(DataSource);
    const searches = await withLockedTable(dataSource, 'bulk_rows', async (waiting) => {
      const sent = Array.from({ length: 9 }, () =>
        app.get(`/v1/bulk-jobs/${id}/results?q=jane`, account.testKey).then((response) => response),
      );
      expectProblem(await Promise.race(sent), 429, 'rate_limited');
      expect(await waiting()).toBe(1);
      return { sent };
    });
    const statuses = (await Promise.all(searches.sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...new Array<number>(8).fill(200), 429]);
  });
});
