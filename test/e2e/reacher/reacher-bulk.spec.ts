import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { REASONS } from '../../../src/kernel/verdict.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { answerTo } from '../../support/app/reacher.js';
import { workOn } from '../../support/app/bulk.js';

let app: TestApp;
let account: NewAccount;
beforeAll(async () => {
  app = await anApp();
  account = await app.anAccount();
});
afterAll(() => app.stop());

interface Output {
  input: string;
  is_reachable: 'safe' | 'invalid' | 'risky' | 'unknown';
  smtp: object;
  debug: { rcpt: { reason: string | null; request_id: string } };
}

const submit = (body: object, key = account.testKey) => app.post('/v1/bulk', key).send(body);
const statusOf = async (id: number, key = account.testKey) =>
  (await app.get(`/v1/bulk/${id}`, key)).body as Record<string, unknown>;

async function aList(input: readonly string[], key = account.testKey): Promise<number> {
  const { status, body } = await answerTo(submit({ input }, key));
  expect([status, body]).toEqual([200, { job_id: expect.any(Number) }]);
  return (body as { job_id: number }).job_id;
}

async function resultsOf(id: number, query = '', key = account.testKey): Promise<Output[]> {
  const { status, body } = await answerTo(app.get(`/v1/bulk/${id}/results${query}`, key));
  expect([status, Object.keys(body as object)]).toEqual([200, ['results']]);
  return (body as { results: Output[] }).results;
}

/** The words of some results, counted. */
function counted(results: readonly Output[]) {
  const count = (word: string) => results.filter(({ is_reachable: found }) => found === word).length;
  return {
    ...{ total_safe: count('safe'), total_invalid: count('invalid') },
    ...{ total_risky: count('risky'), total_unknown: count('unknown') },
  };
}

describe('a list of 10,000 addresses', () => {
  const SIZE = 10_000;
  const names = [
    'jane',
    'admin',
    'mailbox_not_found',
    'mailbox_full',
    'disposable',
    'greylisted',
    'catch_all',
  ];
  const input = Array.from({ length: SIZE }, (_, n) => `${names[n % names.length]}@host${n}.example`);
  let id: number;
  let results: Output[];
  beforeAll(async () => {
    id = await aList(input);
  });

  it('runs, and has no results before it is completed', async () => {
    expect(await statusOf(id)).toEqual({
      ...{ job_id: id, created_at: expect.stringMatching(/Z$/), finished_at: null },
      ...{ total_records: SIZE, total_processed: 0, job_status: 'Running' },
      summary: { total_safe: 0, total_invalid: 0, total_risky: 0, total_unknown: 0 },
    });
    for (const query of ['', '?format=csv']) {
      const { status, body } = await answerTo(app.get(`/v1/bulk/${id}/results${query}`, account.testKey));
      expect([status, body]).toEqual([400, { error: expect.stringMatching(/still running/) }]);
    }
  });

  it('has every row once, in pages of any size', async () => {
    await workOn(app);
    results = [];
    for (let offset = 0; offset < SIZE; offset += 3_000)
      results.push(...(await resultsOf(id, `?limit=3000&offset=${offset}`)));
    expect(results.map((each) => each.input)).toEqual(input);
    expect((await resultsOf(id)).map((each) => each.input)).toEqual(input.slice(0, 50));
    const some = await resultsOf(id, '?limit=7&offset=9990&format=json');
    expect(some.map((each) => each.input)).toEqual(input.slice(9_990, 9_997));
    expect(await resultsOf(id, '?offset=10000')).toEqual([]);
    expect((await resultsOf(id, '?limit=1000000')).length).toBe(SIZE);
  });

  it('counts in its summary what its results say', async () => {
    const status = await statusOf(id);
    expect(status).toMatchObject({
      ...{ total_processed: SIZE, job_status: 'Completed', finished_at: expect.stringMatching(/Z$/) },
      summary: counted(results),
    });
    const { summary } = status as { summary: Record<string, number> };
    for (const count of Object.values(summary)) expect(count).toBeGreaterThan(1_000);
  });

  it('gives the same results as CSV', async () => {
    const { headers, text } = await app.get(`/v1/bulk/${id}/results?format=csv&limit=10000`, account.testKey);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = parse(text);
    expect(header?.join(', ')).toBe(
      'input, is_reachable, misc.is_disposable, misc.is_role_account, misc.gravatar_url, mx.accepts_mail, smtp.can_connect, smtp.has_full_inbox, smtp.is_catch_all, smtp.is_deliverable, smtp.is_disabled, syntax.is_valid_syntax, syntax.domain, syntax.username, error',
    );
    expect(rows.map(([email, word]) => [email, word])).toEqual(
      results.map((each) => [each.input, each.is_reachable]),
    );
    const yes = 'true';
    const no = 'false';
    expect(rows.slice(0, 6)).toEqual([
      ['jane@host0.example', 'safe', no, no, '', yes, yes, no, no, yes, no, yes, 'host0.example', 'jane', ''],
      [
        'admin@host1.example',
        'risky',
        no,
        yes,
        '',
        yes,
        yes,
        no,
        no,
        yes,
        no,
        yes,
        'host1.example',
        'admin',
        '',
      ],
      expect.arrayContaining(['invalid', 'mailbox_not_found', '']),
      [
        'mailbox_full@host3.example',
        'risky',
        no,
        no,
        '',
        yes,
        yes,
        yes,
        no,
        no,
        no,
        yes,
        'host3.example',
        'mailbox_full',
        '',
      ],
      expect.arrayContaining(['risky', 'disposable']),
      [
        ...['greylisted@host5.example', 'unknown', no, no, '', yes, '', '', '', '', '', yes],
        ...['host5.example', 'greylisted', expect.stringMatching(/^greylisted: The mail server/)],
      ],
    ]);
    const page = await app.get(`/v1/bulk/${id}/results?format=csv`, account.testKey);
    expect(page.text.trimEnd().split('\n').length).toBe(51);
  });

  it('is a list of Rcpt too, with an entry in the audit log', async () => {
    const { body } = await answerTo(app.get('/v1/bulk-jobs', account.testKey));
    expect(body).toMatchObject({ data: [{ status: 'completed', total: SIZE }] });
    const audit = await app.get('/v1/audit', account.liveKey);
    expect(JSON.stringify(audit.body)).toContain('bulk.submitted');
  });
});

it('every reason has the same word in a list as in a single call', async () => {
  const input = REASONS.filter((reason) => reason !== 'rate_limited').map((reason) => `${reason}@x.example`);
  const id = await aList(input);
  await workOn(app);
  const results = await resultsOf(id, '?limit=100');
  for (const { debug, ...result } of results) {
    const { body } = await answerTo(
      app.post('/v1/check_email', account.testKey).send({ to_email: result.input }),
    );
    const single = body as Output;
    expect({ ...result, reason: debug.rcpt.reason }).toEqual({
      ...(({ debug: _, ...rest }) => rest)(single),
      reason: single.debug.rcpt.reason,
    });
  }
  expect(await statusOf(id)).toMatchObject({ summary: counted(results) });
});

it('rows without an address are invalid, and those of a list that was canceled are unknown', async () => {
  const first = await aList(['jane@example.com', '', 'NULL', 'jane at example.com']);
  await workOn(app);
  const results = await resultsOf(first);
  expect(results.map((each) => each.is_reachable)).toEqual(['safe', 'invalid', 'invalid', 'invalid']);
  expect(results[1]?.smtp).toEqual({ error: { type: 'no_address', message: expect.any(String) } });
  expect(await statusOf(first)).toMatchObject({ total_processed: 4, summary: counted(results) });

  const second = await aList(['jane@example.com']);
  const { body } = await answerTo(app.get('/v1/bulk-jobs', account.testKey));
  const [{ id }] = (body as { data: [{ id: string }] }).data;
  await app.post(`/v1/bulk-jobs/${id}/cancel`, account.testKey);
  expect(await statusOf(second)).toMatchObject({ job_status: 'Completed', total_processed: 0 });
  expect(await resultsOf(second)).toMatchObject([
    { is_reachable: 'unknown', smtp: { error: { type: 'not_verified' } } },
  ]);
});
