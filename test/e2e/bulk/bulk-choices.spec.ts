import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unzipSync, strFromU8 } from 'fflate';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const EMAILS = [
  'b+deliverable@example.com',
  'x+mailbox_not_found@example.com',
  'a+catch_all@example.com',
  'B+deliverable@EXAMPLE.com',
  '',
  'x+mailbox_not_found@example.com',
  'c+deliverable@example.com',
  '',
];

describe('the rows of results that a download has', () => {
  let app: TestApp;
  let key: string;
  let id: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).testKey;
    const list = ['no,email', ...EMAILS.map((email, n) => `${n},${email}`)].join('\n');
    ({ id } = (await sendList(app, key, list, 'text/csv')).body as BulkJobResponse);
    await workOn(app);
  });
  afterAll(() => app.stop());

  const path = (query: string) => `/v1/bulk-jobs/${id}/results?columns=no&${query}`;
  const csv = async (query: string) =>
    (await app.get(path(query), key).set('Accept', 'text/csv')).text.trim().split('\n').slice(1);
  const ndjson = async (query: string) =>
    (await app.get(path(query), key).set('Accept', 'application/x-ndjson')).text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { ref: { no: string } }).ref.no);
  const workbook = async (query: string) => {
    const headers = { Authorization: `Bearer ${key}`, Accept: XLSX };
    const answer = await fetch(`${app.url}${path(query)}`, { headers });
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    return [...sheet.matchAll(/<t xml:space="preserve">(\d)<\/t>/g)].map(([, no]) => no);
  };
  const pages = async (query: string) =>
    (await resultsOf(app, key, id, `&${query}`)).map(({ index }) => String(index));

  it.each([
    ['of two statuses', 'status=deliverable,risky', ['0', '2', '3', '6']],
    ['of two statuses that are sent apart', 'status=risky&status=deliverable', ['0', '2', '3', '6']],
    [
      'of three statuses in any order',
      'status=undeliverable,risky,deliverable',
      ['0', '1', '2', '3', '5', '6'],
    ],
    ['of each address once', 'distinct=true', ['0', '1', '2', '4', '6', '7']],
    ['of each address once, of one status', 'distinct=true&status=deliverable', ['0', '6']],
    ['of each address once, of several', 'distinct=true&status=deliverable,undeliverable', ['0', '1', '6']],
    ['with a text', 'status=deliverable,undeliverable&distinct=true&q=deliverable', ['0', '6']],
  ])('%s are in the order of the list, in every format', async (_, query, expected) => {
    expect(await csv(query)).toEqual(expected);
    expect(await ndjson(query)).toEqual(expected);
    expect(await workbook(query)).toEqual(expected);
    expect(await pages(query)).toEqual(expected);
  });

  it('are in a CSV with the delimiter that is asked for', async () => {
    const answer = await app
      .get(`/v1/bulk-jobs/${id}/results?columns=no,email&delimiter=;`, key)
      .set('Accept', 'text/csv');
    expect(answer.text).toMatch(/^no;email\n0;b\+deliverable@example\.com\n/);
  });

  it('are the same on pages of any length', async () => {
    const found: number[] = [];
    let cursor = '';
    do {
      const answer = await app.get(path(`distinct=true&status=deliverable,risky&limit=1${cursor}`), key);
      const page = answer.body as { data: { index: number }[]; next_cursor: string | null };
      found.push(...page.data.map(({ index }) => index));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(found).toEqual([0, 2, 6]);
  });

  it.each(['status=', 'status=good', 'status=risky,', 'status=risky,good', 'distinct=x'])(
    'are refused for ?%s',
    async (query) => {
      const problem = expectProblem(await app.get(path(query), key), 400, 'invalid_request');
      expect(problem).toMatchObject({ errors: [{ pointer: `/${query.split('=')[0]}` }] });
    },
  );
});
