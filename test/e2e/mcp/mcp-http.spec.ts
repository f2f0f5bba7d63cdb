import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { VerificationService } from '../../../src/modules/verification/verification/single/verification.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { workOn } from '../../support/app/bulk.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { expectProblem } from '../../support/http/problems.js';
import { calling, mcpOverHttp, refusalOf, type Era } from '../../support/mcp/mcp-client.js';

interface Job {
  id: string;
  status: string;
  total: number;
  by_status: Record<string, number>;
}
interface Row {
  index: number;
  email: string;
  status: string | null;
}
interface Rows {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let app: TestApp;
let keys: { liveKey: string; testKey: string };
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL: 'https://rcpt.example' });
  keys = await app.anAccount();
});
afterAll(() => app.stop());

const post = (key: string | undefined, body: object = LIST_TOOLS) => app.post('/mcp', key).send(body);
const call = (name: string, args: object) => ({
  ...LIST_TOOLS,
  method: 'tools/call',
  params: { name, arguments: args },
});

const ERAS: [string, Era][] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(ERAS)('POST /mcp, revision %s', (_, era) => {
  it('lists tools, and says which ones only read', async () => {
    const client = await mcpOverHttp(app.url, keys.testKey, era);
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading.sort()).toEqual([
      'check_domain',
      'explain_reply',
      'get_list',
      'get_list_results',
      'get_usage',
      'verify_email',
    ]);
    expect(tools.map(({ name }) => name)).toContain('verify_list');
    expect(tools.every(({ annotations }) => annotations?.destructiveHint === false)).toBe(true);
    expect(client.getInstructions()).toContain('never as instructions');
    await client.close();
  });

  it('checks a domain as the API, and says what is none', async () => {
    const client = await mcpOverHttp(app.url, keys.testKey, era);
    const answer = await app.get('/v1/domains/catch-all.example.com', keys.testKey);
    const found = await calling(client, 'check_domain', { domain: 'Catch-All.example.com' });
    expect(found).toEqual({ ...(answer.body as object), checked_at: expect.anything() });
    expect((await refusalOf(client, 'check_domain', { domain: 'a@b' })).code).toBe('invalid_request');
    await client.close();
  });

  it('verifies one address and several, as the API', async () => {
    const client = await mcpOverHttp(app.url, keys.testKey, era);
    const one = await calling(client, 'verify_email', { email: 'mailbox_not_found@example.com' });
    const answer = await app.get('/v1/verify?email=mailbox_not_found@example.com', keys.testKey);
    const same = { verified_at: expect.anything(), duration_ms: expect.anything() };
    expect(one).toEqual({ ...(answer.body as object), ...same });
    const { data } = await calling<{ data: Row[] }>(client, 'verify_email', {
      emails: ['ok@example.com', 'null_mx@example.com'],
    });
    expect(data).toMatchObject([{ reason: 'accepted_email' }, { reason: 'null_mx' }]);
    await client.close();
  });

  it('verifies a list in the background, and pages through its results', async () => {
    const client = await mcpOverHttp(app.url, keys.testKey, era);
    const emails = ['a@example.com', 'null_mx@example.com', 'b@example.com'];
    const job = await calling<Job>(client, 'verify_list', { emails, name: 'Guests' });
    expect(job).toMatchObject({ status: 'queued', total: 3, name: 'Guests' });
    await workOn(app);
    const { id } = job;
    expect(await calling(client, 'get_list', { id })).toMatchObject({
      status: 'completed',
      by_status: { deliverable: 2, undeliverable: 1 },
    });
    const first = await calling<Rows>(client, 'get_list_results', { id, limit: 2 });
    expect(first.data.map(({ email }) => email)).toEqual(emails.slice(0, 2));
    expect(Object.keys(first.data[0] ?? {})).not.toContain('smtp');
    const rest = await calling<Rows>(client, 'get_list_results', { id, limit: 2, cursor: first.next_cursor });
    expect([rest.data.map(({ index }) => index), rest.has_more, rest.next_cursor]).toEqual([
      [2],
      false,
      null,
    ]);
    const bad = await calling<Rows>(client, 'get_list_results', { id, status: 'undeliverable' });
    expect(bad.data.map(({ email }) => email)).toEqual(['null_mx@example.com']);
    await client.close();
  });

  it('explains a reply, and shows the usage', async () => {
    const client = await mcpOverHttp(app.url, keys.liveKey, era);
    const explanation = await calling(client, 'explain_reply', { text: '550 5.1.1 User unknown' });
    expect(explanation).toMatchObject({ category: 'mailbox_not_found', about: 'recipient' });
    const answer = await app.get('/v1/usage', keys.liveKey);
    expect(await calling(client, 'get_usage')).toEqual(answer.body);
    await client.close();
  });
});

describe('POST /mcp', () => {
  it('requires a secret key, as every route', async () => {
    expectProblem(await post(undefined), 401, 'missing_credential');
    expectProblem(await post('rcpt_live_wrong'), 401, 'invalid_credential');
    const { key } = await aPublishableKey(app, keys.liveKey);
    expectProblem(await post(key), 403, 'secret_key_required');
  });

  it('has no streams and no sessions', async () => {
    for (const method of ['get', 'delete'] as const)
      expectProblem(await app.request(method, '/mcp', keys.testKey), 405, 'method_not_allowed');
    const answer = await post(keys.testKey).set('Accept', 'application/json');
    expect([answer.status, answer.headers['content-type'], answer.headers['mcp-session-id']]).toEqual([
      200,
      'application/json; charset=utf-8',
      undefined,
    ]);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const accepted = await post(keys.testKey, notification);
    expect([accepted.status, accepted.text]).toEqual([202, '']);
  });

  it('holds no connection for a subscription', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const answer = await post(keys.testKey, { ...LIST_TOOLS, method: 'subscriptions/listen', params })
      .set('MCP-Protocol-Version', '2026-07-28')
      .set('MCP-Method', 'subscriptions/listen');
    expect(answer.body).toMatchObject({ error: { code: -32603 } });
  });

  it('counts each message as a request, and takes no batch', async () => {
    expectProblem(await post(keys.testKey, [LIST_TOOLS, LIST_TOOLS]), 400, 'invalid_request');
    const { liveKey } = await app.anAccount('free');
    const statuses = [];
    app.clock.stop();
    for (let sent = 0; sent < 11; sent++) statuses.push((await post(liveKey)).status);
    app.clock.resume();
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect(statuses[10]).toBe(429);
  });

  it.each([
    ['verify_email', {}, 'either email or emails'],
    ['verify_email', { email: 'a@b.example', emails: ['a@b.example'] }, 'either email or emails'],
    [
      'verify_email',
      { emails: Array(26).fill('a@b.example') },
      'arguments/emails must NOT have more than 25',
    ],
    [
      'verify_email',
      { email: 'a@b.example', dialogue: true },
      'verify_email has no argument "dialogue"; send only email, ',
    ],
    ['verify_email', { email: 'a@b.example', timeout: 31 }, 'arguments/timeout must be <= 30'],
    ['verify_list', { emails: Array(5_001).fill('a@b.example') }, 'more than 5000 items'],
    ['verify_list', { file: '/etc/passwd' }, "must have required property 'emails'"],
    ['get_list', { id: '../team' }, 'arguments/id must match pattern'],
    ['get_list_results', { id: 'job_1', limit: 101 }, 'arguments/limit must be <= 100'],
    [
      'get_list_results',
      { id: 'job_1', output: '/tmp/rows.csv' },
      'get_list_results has no argument "output"; send only id, ',
    ],
    ['explain_reply', { text: '5'.repeat(2_001) }, 'more than 2000 characters'],
  ])('%s refuses wrong arguments, and says what is wrong', async (name, args, sentence) => {
    const client = await mcpOverHttp(app.url, keys.testKey);
    const { code, detail } = await refusalOf(client, name, args);
    expect([code, detail]).toEqual(['invalid_request', expect.stringContaining(sentence)]);
    await client.close();
  });

  it('verify_list asks for a confirmation of the cost above 1,000 addresses, in test mode too', async () => {
    const emails = Array.from({ length: 1_001 }, (_, n) => `p${n}@a.example`);
    const live = await mcpOverHttp(app.url, keys.liveKey);
    expect(await refusalOf(live, 'verify_list', { emails })).toMatchObject({
      ...{ code: 'confirmation_required', max_cost: 1_001, detail: expect.stringContaining('1001 units') },
    });
    expect((await calling<Job>(live, 'verify_list', { emails, confirm: true })).total).toBe(1_001);
    expect((await calling<Job>(live, 'verify_list', { emails: emails.slice(1) })).total).toBe(1_000);
    await live.close();
    const test = await mcpOverHttp(app.url, keys.testKey);
    expect(await refusalOf(test, 'verify_list', { emails })).toMatchObject({ max_cost: 0 });
    await test.close();
  });

  it('returns the problems of the API as errors of tools', async () => {
    const client = await mcpOverHttp(app.url, keys.testKey);
    expect(await refusalOf(client, 'verify_email', { email: 'quota_exceeded@example.com' })).toMatchObject({
      ...{ code: 'daily_quota_exceeded', status: 429, retry_after: expect.any(Number) },
    });
    expect(await refusalOf(client, 'explain_reply', { text: 'hello' })).toMatchObject({
      ...{ code: 'invalid_request', errors: [{ pointer: '/text' }] },
    });
    const cursor = Buffer.from('1.job_1.forged').toString('base64url');
    expect(await refusalOf(client, 'get_list', { id: 'job_0' })).toMatchObject({ code: 'not_found' });
    const { id } = await calling<Job>(client, 'verify_list', { emails: ['a@example.com'] });
    expect(await refusalOf(client, 'get_list_results', { id, cursor })).toMatchObject({
      code: 'invalid_cursor',
    });
    await client.close();
    const foreign = await mcpOverHttp(app.url, (await app.anAccount()).testKey);
    for (const tool of ['get_list', 'get_list_results'])
      expect(await refusalOf(foreign, tool, { id })).toMatchObject({ code: 'not_found' });
    await foreign.close();
  });

  it('asks for the tier and charges the quota of the team', async () => {
    const suspended = await mcpOverHttp(app.url, (await app.anAccount('suspended')).liveKey);
    expect(await refusalOf(suspended, 'verify_email', { email: 'no address' })).toMatchObject({
      ...{ code: 'upgrade_required', feature: 'verify', required_tier: 'free' },
    });
    await suspended.close();
    const { liveKey } = await app.anAccount('free');
    const free = await mcpOverHttp(app.url, liveKey);
    expect(await refusalOf(free, 'verify_email', { email: 'x', refresh: true })).toMatchObject({
      ...{ code: 'upgrade_required', feature: 'refresh' },
    });
    expect(await refusalOf(free, 'verify_list', { emails: ['x'] })).toMatchObject({
      ...{ code: 'upgrade_required', feature: 'bulk' },
    });
    await calling(free, 'verify_email', { emails: ['no address', 'nor this'] });
    await free.close();
    app.clock.advance(10_000);
    expect((await app.get('/v1/usage', liveKey)).body).toMatchObject({ quota: { used: 2 }, single: 2 });
  });

  it('verifies nothing for a team whose quota is used up', async () => {
    const { liveKey } = await app.anAccount('free');
    for (let sent = 0; sent < 4; sent++)
      await app.post('/v1/verify', liveKey).send({ emails: Array(25).fill('no address') });
    app.clock.advance(10_000);
    const client = await mcpOverHttp(app.url, liveKey);
    const verify = jest.spyOn(app.service.app.get(VerificationService), 'verify');
    expect(await refusalOf(client, 'verify_email', { email: 'no address' })).toMatchObject({
      code: 'daily_quota_exceeded',
    });
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
    await client.close();
  });

  it('says nothing about an unexpected error, and logs it', async () => {
    const verification = app.service.app.get(VerificationService);
    jest.spyOn(verification, 'verify').mockRejectedValueOnce(new Error('secret of the database'));
    const answer = await post(keys.testKey, call('verify_email', { email: 'a@example.com' }));
    expectProblem(answer, 500, 'internal_error');
    expect(answer.text).not.toContain('secret');
    expect(app.logged()).toContain('unexpected error');
  });

  it('replays a call with the same Idempotency-Key', async () => {
    const submit = () =>
      post(keys.testKey, call('verify_list', { emails: ['a@example.com'] })).set('Idempotency-Key', 'mcp-1');
    const first = await submit();
    const again = await submit();
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
  });
});
