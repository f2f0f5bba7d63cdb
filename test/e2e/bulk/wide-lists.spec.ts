import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Express } from 'express';
import { readSheet } from 'read-excel-file/node';
import type { Principal } from '../../../src/kernel/principal.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkResultPage } from '../../../src/modules/lists/bulk/results/bulk-results.dto.js';
import { BulkJobRepository } from '../../../src/modules/lists/bulk/domain/bulk-job.repository.js';
import { BulkResultsService } from '../../../src/modules/lists/bulk/results/bulk-results.service.js';
import { UNREAD, type UnreadResponses } from '../../../src/platform/http/unread-responses.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { sendList, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

const COLUMNS = 1_000;
const ROWS = 300;
/** Of a page or a batch: the bound and one row. */
const PAGE_BYTES = 4_100_000;
const BATCH_CELLS = 50_000;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const names = ['email', ...Array.from({ length: COLUMNS - 1 }, (_, n) => `c${n}`.padEnd(31, 'x'))];

describe('the results of a list with a thousand columns', () => {
  let app: TestApp;
  let account: NewAccount;
  let id: string;
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    const rows = Array.from({ length: ROWS }, (_, n) => `person${n}@example.com\n`);
    const sent = await sendList(app, account.testKey, `${names.join(',')}\n${rows.join('')}`, 'text/csv');
    ({ id } = sent.body as { id: string });
    await workOn(app);
  });
  afterAll(() => app.stop());

  const read = (query: string, accept: string) =>
    fetch(`${app.url}/v1/bulk-jobs/${id}/results${query}`, {
      headers: { Authorization: `Bearer ${account.testKey}`, Accept: accept },
    });

  it('come in pages of at most 4 MB, whose cursors lead to every row once', async () => {
    const found: number[] = [];
    let cursor: string | null = null;
    do {
      const text: string = await (
        await read(`?limit=1000${cursor === null ? '' : `&cursor=${cursor}`}`, 'application/json')
      ).text();
      expect(text.length).toBeLessThan(PAGE_BYTES);
      const page = JSON.parse(text) as BulkResultPage;
      expect(page.data.length).toBeGreaterThan(0);
      expect(page.has_more).toBe(page.next_cursor !== null);
      found.push(...page.data.map(({ index }) => index));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(Array.from({ length: ROWS }, (_, n) => n));
  });

  it('are refused while the team has not read earlier ones, and those of other teams are not', async () => {
    const express: Express = app.service.app.getHttpAdapter().getInstance();
    const unread = express.get(UNREAD) as UnreadResponses;
    const isFull = jest.spyOn(unread, 'isFull').mockImplementation((owner) => owner === account.team.id);
    const refused = await app.get(`/v1/bulk-jobs/${id}/results`, account.testKey);
    expectProblem(refused, 429, 'too_many_unread');
    expect(refused.headers['retry-after']).toBe('1');
    const other = await app.anAccount();
    expect((await app.get('/v1/usage', other.testKey)).status).toBe(200);
    isFull.mockRestore();
    expect((await read('?limit=1', 'application/json')).status).toBe(200);
  });

  it('are downloaded in batches of at most 50,000 cells', async () => {
    const caller = { teamId: account.team.id, mode: 'test' } as unknown as Principal;
    const job = await app.service.app.get(BulkJobRepository).find(caller, id);
    if (job === null) throw new Error('no job');
    let sum = 0;
    for await (const batch of app.service.app.get(BulkResultsService).all(caller, job, {})) {
      expect(batch.length * COLUMNS).toBeLessThanOrEqual(BATCH_CELLS);
      sum += batch.length;
    }
    expect(sum).toBe(ROWS);
  });

  it('are complete in each format', async () => {
    const text = await (await read('?columns=input,status', 'text/csv')).text();
    const csv: string[][] = parse(text);
    expect([csv.length, csv[0]?.length]).toEqual([ROWS + 1, COLUMNS + 1]);
    const lines = (await (await read('', 'application/x-ndjson')).text()).trimEnd().split('\n');
    expect(lines).toHaveLength(ROWS);
    const workbook = await (await read('?columns=email,status', XLSX)).arrayBuffer();
    expect(await readSheet(Buffer.from(workbook))).toHaveLength(ROWS + 1);
  });
});
