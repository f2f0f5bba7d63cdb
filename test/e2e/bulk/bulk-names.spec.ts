import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

interface Page {
  data: { name: string | null }[];
  next_cursor: string | null;
}

const NAMES = ['Öffentliche Straße', 'Customers (50%_a\\b)', 'newsletter [May]', null, 'NEWSLETTER*'];

describe('the search for bulk jobs by name', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    ({ testKey: key } = await app.anAccount());
    for (const name of NAMES) {
      app.clock.advance(1_000);
      await aBulkJob(app, key, ['jane@example.com'], { name });
    }
  });
  afterAll(() => app.stop());

  const page = async (query: string, of = key) => (await app.get(`/v1/bulk-jobs?${query}`, of)).body as Page;
  const found = async (q: string, more = '') =>
    (await page(`q=${encodeURIComponent(q)}${more}`)).data.map(({ name }) => name);

  it('finds a part of the name, in upper or lower case in every script, and takes no character for a pattern', async () => {
    expect(await found('news')).toEqual(['NEWSLETTER*', 'newsletter [May]']);
    for (const q of ['öFFENT', 'straße', 'E STRA']) expect(await found(q)).toEqual(['Öffentliche Straße']);
    for (const q of ['(50%_A\\B)', '%_', '\\', '50%'])
      expect([q, await found(q)]).toEqual([q, ['Customers (50%_a\\b)']]);
    expect(await found('[m')).toEqual(['newsletter [May]']);
    expect(await found('r*')).toEqual(['NEWSLETTER*']);
    for (const q of ['.', '^', 'x|news', '***=news', 'C.s', '(?i)news', 'a'.repeat(254)])
      expect([q, await found(q)]).toEqual([q, []]);
    expect(await found('news', '&status=completed')).toEqual([]);
    expect(await found('news', '&status=queued')).toHaveLength(2);
  });

  it('is bounded, and finds jobs of the own team and mode only', async () => {
    const stranger = await app.anAccount();
    for (const other of [stranger.testKey, stranger.liveKey])
      expect(await page('q=news', other)).toMatchObject({ data: [], next_cursor: null });
    expectProblem(await app.get(`/v1/bulk-jobs?q=${'a'.repeat(255)}`, key), 400, 'invalid_request');
    expectProblem(await app.get('/v1/bulk-jobs?q=', key), 400, 'invalid_request');
  });

  it('has pages, whose cursors belong to the text', async () => {
    const first = await page('q=NEWS&limit=1');
    expect(first.data).toMatchObject([{ name: 'NEWSLETTER*' }]);
    const rest = await page(`q=NEWS&limit=1&cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({ data: [{ name: 'newsletter [May]' }], next_cursor: null });
    const other = await app.get(`/v1/bulk-jobs?q=c&limit=1&cursor=${first.next_cursor}`, key);
    expectProblem(other, 400, 'invalid_cursor');
  });
});
