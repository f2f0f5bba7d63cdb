import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { AuditPage } from '../../../src/modules/identity/audit/audit.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const PATH = '/v1/audit';

let app: TestApp;
let answers: ResponseValidator;
let account: NewAccount;

beforeAll(async () => {
  app = await anApp();
  answers = await ResponseValidator.published(app);
});
beforeEach(async () => {
  account = await app.anAccount();
});
afterAll(() => app.stop());

async function page(query = '', key = account.liveKey): Promise<AuditPage> {
  const answer = await app.get(`${PATH}${query}`, key);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  answers.expect('GET', PATH, answer);
  return answer.body as AuditPage;
}

const actions = async (query?: string) => (await page(query)).data.map(({ action }) => action);

const block = (domain: string, requestId = 'r-1') =>
  app.post('/v1/blocklist', account.liveKey).set('X-Request-Id', requestId).send({ domain });

describe('GET /v1/audit', () => {
  it('tells who changed what, when and from where, newest first', async () => {
    await block('blocked.example', 'r-7');
    const { data } = await page();
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      actor: { user_id: account.user.id, key_id: expect.stringMatching(/^key_/), address: '127.0.0.1' },
      action: 'blocklist.added',
      subject: { type: 'blocklist_entry', id: expect.stringMatching(/^blk_/) },
      changes: { domain: 'blocked.example' },
      request_id: 'r-7',
    });
  });

  it('has the values of settings before and after', async () => {
    await app
      .request('patch', '/v1/team', account.liveKey)
      .send({ role_is_risky: true, retention_days: 3, name: 'Red' });
    expect((await page('?action=team.updated')).data[0]?.changes).toEqual({
      name: 'changed',
      retention_days: { from: null, to: 3 },
      role_is_risky: { from: false, to: true },
    });
    const url = 'https://hooks.example/secret-path';
    const webhook = await app.post('/v1/webhooks', account.liveKey).send({ url, events: ['webhook.test'] });
    const { id } = webhook.body as { id: string };
    await app
      .request('patch', `/v1/webhooks/${id}`, account.liveKey)
      .send({ events: ['key.created'], enabled: false, url: `${url}/2` });
    const [changed] = (await page('?action=webhook.updated')).data;
    expect(changed?.changes).toMatchObject({
      events: { from: ['webhook.test'], to: ['key.created'] },
      enabled: { from: true, to: false },
    });
    expect(JSON.stringify(changed)).not.toContain('secret-path');
  });

  it('is filtered by actor, action and time', async () => {
    await block('a.example');
    const [entry] = (await page()).data;
    const { user_id: user, key_id: key } = entry!.actor;
    for (const actor of [user, key]) expect(await actions(`?actor=${actor}`)).toEqual(['blocklist.added']);
    expect(await actions(`?actor=key_00000000000000000000000000`)).toEqual([]);
    expect(await actions('?action=blocklist.added')).toEqual(['blocklist.added']);
    expect((await actions(`?from=${entry!.at}`))[0]).toBe('blocklist.added');
    expect(await actions(`?to=2020-01-31T12:00:00Z`)).toEqual([]);
    const later = new Date(Date.parse(entry!.at) + 1).toISOString();
    expect(await actions(`?from=${later}`)).toEqual([]);
  });

  it('has pages without gap or repetition, also of entries of one millisecond, and a cursor belongs to its filters', async () => {
    await app.post('/v1/blocklist', account.liveKey).send({ domain: 'x.example' });
    for (const n of [1, 2, 3, 4, 5]) await block(`d${n}.example`);
    const whole = await page('?limit=100');
    const ids: string[] = [];
    let query = '?limit=2';
    for (let cursor: string | null = ''; cursor !== null; query = `?limit=2&cursor=${cursor}`) {
      const { data, next_cursor } = await page(query);
      ids.push(...data.map(({ id }) => id));
      cursor = next_cursor;
    }
    expect(ids).toEqual(whole.data.map(({ id }) => id));
    const { next_cursor: cursor } = await page('?limit=2');
    const other = await app.get(`${PATH}?limit=2&cursor=${cursor}&action=key.created`, account.liveKey);
    expectProblem(other, 400, 'invalid_cursor');
  });

  it('does not tell how many entries other teams have', async () => {
    await block('y.example');
    const { next_cursor: cursor } = await page('?limit=1');
    const [, id] = Buffer.from(cursor ?? '', 'base64url')
      .toString()
      .split('.');
    expect(id).toMatch(/^aud_/);
  });

  it('shows nothing of another team', async () => {
    const other = await app.anAccount();
    await block('ours.example');
    expect(JSON.stringify(await page('', other.liveKey))).not.toContain('ours.example');
    const [entry] = (await page()).data;
    expect((await page(`?actor=${entry!.actor.key_id}`, other.liveKey)).data).toEqual([]);
  });

  it.each(['actor=jane', 'actor=team_00000000000000000000000000', 'action=x', 'from=2026-01-31', 'who=me'])(
    'refuses ?%s',
    async (query) => {
      expectProblem(await app.get(`${PATH}?${query}`, account.liveKey), 400, 'invalid_request');
    },
  );
});

describe('the audit log as a file', () => {
  const text = async (type: string, query = '') =>
    app.get(`${PATH}${query}`, account.liveKey).set('Accept', type).buffer(true);

  it('is a CSV with all entries, without formulas', async () => {
    for (let n = 0; n < 105; n += 1) await block(`d${n}.example`, '-cmd');
    const answer = await text('text/csv', '?action=blocklist.added');
    expect(answer.headers['content-disposition']).toBe('attachment; filename=audit.csv');
    const rows = parse(answer.text, { columns: true });
    expect(rows).toHaveLength(105);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      user_id: account.user.id,
      key_id: expect.stringMatching(/^key_/),
      address: '127.0.0.1',
      action: 'blocklist.added',
      subject_type: 'blocklist_entry',
      subject_id: expect.stringMatching(/^blk_/),
      changes: '{"domain":"d104.example"}',
      request_id: "'-cmd",
    });
  });

  it('is NDJSON with the objects of the list', async () => {
    await block('n.example');
    const { text: lines } = await text('application/x-ndjson');
    const entries = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(entries).toEqual((await page('?limit=100')).data);
  });
});
