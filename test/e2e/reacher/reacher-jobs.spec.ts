import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { answerTo } from '../../support/app/reacher.js';
import { upkeepOf, workOn } from '../../support/app/bulk.js';

let app: TestApp;
let account: NewAccount;
beforeAll(async () => {
  app = await anApp();
  account = await app.anAccount();
});
afterAll(() => app.stop());

const submit = (body: object, key: string) => app.post('/v1/bulk', key).send(body);
const numberOf = ({ body }: { body: unknown }) => (body as { job_id: number }).job_id;
const INPUT = { input: ['jane@nowhere.invalid'] };
const ERROR = { error: expect.any(String) };

async function send(body: string | Buffer, key: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.url}/v1/bulk`, {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json', ...headers },
    body: Buffer.from(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Of all teams: rows of lists, jobs, and numbers. */
async function stored(): Promise<object | undefined> {
  const [row] = await app.service.app.get(DataSource).query<object[]>(
    `SELECT (SELECT count(*) FROM bulk_rows) AS rows, (SELECT count(*) FROM bulk_jobs WHERE state <> 'erasing') AS jobs,
            (SELECT count(*) FROM reacher_jobs) AS numbers, (SELECT sum(last) FROM reacher_numbers) AS last`,
  );
  return row;
}

describe('the number of a list', () => {
  it('is counted within the team, from 1, also when lists are sent at the same time', async () => {
    const [one, other] = [await app.anAccount(), await app.anAccount()];
    expect(numberOf(await submit(INPUT, one.liveKey))).toBe(1);
    expect(numberOf(await submit(INPUT, one.testKey))).toBe(2);
    expect(numberOf(await submit(INPUT, other.liveKey))).toBe(1);
    const many = await Promise.all([3, 4, 5].map(() => submit(INPUT, one.liveKey)));
    expect(many.map(numberOf).sort()).toEqual([3, 4, 5]);
  });

  it('means nothing to another team, a key of the other mode, or in another form', async () => {
    const [one, other] = [await app.anAccount(), await app.anAccount()];
    await submit(INPUT, one.liveKey);
    const read = (id: string, key: string) => [
      app.get(`/v1/bulk/${id}`, key),
      app.get(`/v1/bulk/${id}/results`, key),
    ];
    for (const [id, key] of [
      ['1', other.liveKey],
      ['1', one.testKey],
      ...['2', '0', '-1', '01', '1.0', '1e0', '99999999999', 'job_01', '%00'].map((id) => [id, one.liveKey]),
    ] as [string, string][])
      for (const answer of await Promise.all(read(id, key)))
        expect([id, answer.status, answer.body]).toEqual([
          ...[id, 404],
          { error: 'There is no such bulk job.' },
        ]);
    expect((await app.get('/v1/bulk/1', one.liveKey)).status).toBe(200);
  });

  it('is not given again after the list was deleted', async () => {
    const account = await app.anAccount();
    const { liveKey } = account;
    await submit(INPUT, liveKey);
    const { body } = await answerTo(app.get('/v1/bulk-jobs', liveKey));
    const [{ id }] = (body as { data: [{ id: string }] }).data;
    expect((await app.delete(`/v1/bulk-jobs/${id}`, liveKey)).status).toBe(204);
    expect(await app.get('/v1/bulk/1', liveKey)).toMatchObject({ status: 404, body: ERROR });
    const numbers = 'SELECT number FROM reacher_jobs WHERE team_id = $1';
    const left = () => app.service.app.get(DataSource).query<object[]>(numbers, [account.team.id]);
    expect(await left()).toEqual([{ number: 1 }]);
    // A list that was not verified counts for a limit of the day, and is kept without its rows until then.
    app.clock.advance(2 * 86_400_000);
    await upkeepOf(app).deleteDue();
    expect(await left()).toEqual([]);
    expect(numberOf(await submit(INPUT, liveKey))).toBe(2);
  });

  it('is that of the first request for a second one with the same Idempotency-Key', async () => {
    const { liveKey } = await app.anAccount();
    const again = (body: object) => submit(body, liveKey).set('Idempotency-Key', 'one');
    expect(numberOf(await again(INPUT))).toBe(1);
    const { body, headers } = await answerTo(again(INPUT));
    expect([body, headers['idempotency-replayed']]).toEqual([{ job_id: 1 }, 'true']);
    expect(await again({ input: ['joe@nowhere.invalid'] })).toMatchObject({ status: 422, body: ERROR });
    expect(numberOf(await submit(INPUT, liveKey))).toBe(2);
  });
});

describe('a body with a list', () => {
  it('may say what the operator decides: it is ignored, and named', async () => {
    const more = { from_email: 'me@example.com', proxy: { host: 'p', port: 1 }, gmail_verif_method: 'Smtp' };
    for (const body of [
      { ...more, ...INPUT, hello_name: null, webhook: null },
      { ...INPUT, ...more, webhook: { on_each_email: null } },
    ]) {
      const { status, headers } = await answerTo(submit(body, account.liveKey));
      expect([status, headers['rcpt-ignored']]).toEqual([200, 'from_email, proxy, gmail_verif_method']);
    }
    const compressed = await send(gzipSync(JSON.stringify(INPUT)), account.liveKey, {
      'Content-Encoding': 'gzip',
    });
    expect([compressed.status, compressed.headers.get('rcpt-ignored')]).toEqual([200, null]);
  });

  it.each<[string, string, number, RegExp]>([
    ['nothing', '', 400, /./],
    ['no list', '{}', 400, /^Send at least one address/],
    ['an empty list', '{"input":[]}', 400, /^Send at least one address/],
    ['no address in it', '{"input":["",""]}', 400, /^No row of the list has an address/],
    ['an array', '["jane@example.com"]', 400, /^The body: Send an object with the member input/],
    ['the member of Rcpt', '{"emails":["jane@example.com"]}', 400, /^\/emails: This member is not known/],
    [
      'the name of Rcpt',
      '{"input":["jane@example.com"],"name":"x"}',
      400,
      /^\/name: This member is not known/,
    ],
    ['entries of Rcpt', '{"input":["joe@example.com",{"email":"x"}]}', 400, /^\/input\/1: Send a string/],
    ['a number', '{"input":[7]}', 400, /^\/input\/0: Send a string/],
    ['a text', '{"input":"jane@example.com"}', 400, /^\/input: Send an array/],
    ['a list twice', '{"input":["a@example.com"],"input":["b@example.com"]}', 400, /^\/input: Send this/],
    ['half a list', '{"input":["jane@example.com",', 400, /^The body is not JSON: see line 1/],
    ['a long text', `{"input":["a@example.com","${'a'.repeat(400_000)}"]}`, 400, /^\/input\/1: An entry may/],
    [
      'a webhook',
      '{"input":["jane@example.com"],"webhook":{"on_each_email":{"url":"https://x.example","extra":{"a":{"b":[{}]}}}}}',
      400,
      /bulk_job\.completed/,
    ],
    [
      'a text as webhook',
      '{"webhook":"https://x.example","input":["a@b.example"]}',
      400,
      /bulk_job\.completed/,
    ],
  ])('with %s gets its sentence, and nothing is half made', async (_, body, status, sentence) => {
    const before = await stored();
    const answer = await send(body, account.liveKey);
    expect([answer.status, answer.body]).toEqual([status, { error: expect.stringMatching(sentence) }]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    await upkeepOf(app).deleteDue();
    expect(await stored()).toEqual(before);
  });

  it('of another content type, too large for the tier, or above the quota is refused alike', async () => {
    const { liveKey } = await app.anAccount('starter');
    const before = await stored();
    const csv = await send('jane@example.com', liveKey, { 'Content-Type': 'text/csv' });
    expect(csv).toMatchObject({ status: 415, body: { error: expect.stringContaining('application/json') } });
    const many = (n: number) => ({ input: Array.from({ length: n }, (_, at) => `u${at}@nowhere.invalid`) });
    expect(await submit(many(1_001), liveKey)).toMatchObject({ status: 413, body: ERROR });
    const free = await app.anAccount('free');
    expect(await submit(INPUT, free.liveKey)).toMatchObject({ status: 402, body: ERROR });
    await upkeepOf(app).deleteDue();
    expect(await stored()).toEqual(before);
    await submit(many(600), liveKey);
    const accepted = await stored();
    const refused = await answerTo(submit(many(601), liveKey));
    expect([refused.status, refused.body]).toEqual([429, { error: expect.stringMatching(/quota/) }]);
    expect(await stored()).toEqual(accepted);
  });

  it.each([
    ['limit=0', /^\/limit: Send a whole number from 1 to 1000000/],
    ['limit=all', /^\/limit/],
    ['offset=-1', /^\/offset/],
    ['format=xml', /^\/format: Send one of json, csv/],
    ['page=2', /^\/page: This member is not known/],
  ])('its results with %s are refused with a sentence', async (query, sentence) => {
    const { liveKey } = await app.anAccount();
    await submit(INPUT, liveKey);
    await workOn(app);
    const { status, body } = await answerTo(app.get(`/v1/bulk/1/results?${query}`, liveKey));
    expect([status, body]).toEqual([400, { error: expect.stringMatching(sentence) }]);
  });
});
