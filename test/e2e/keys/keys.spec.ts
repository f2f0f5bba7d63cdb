import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

interface Key {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  service: boolean;
  user_id: string | null;
  team_id: string;
  expires_at: string | null;
  revoked_at: string | null;
  key: string;
}

let app: TestApp;
let team: TestTeam;
let answers: ResponseValidator;
beforeAll(async () => {
  app = await anApp();
  team = await aTeam(app);
  answers = await ResponseValidator.published(app);
});
afterAll(() => app.stop());

const create = (by: string, body: object) => app.post('/v1/keys', by).send(body);
const keyOf = async (request: ReturnType<typeof create>) => (await request).body as Key;
const works = async (key: string) => (await app.get('/v1/me', key)).status === 200;
const listed = async (by: string) => (await app.get('/v1/keys?limit=100', by)).body as { data: Key[] };
const query = (statement: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, values);

describe('POST /v1/keys', () => {
  it('returns 201 with the key, once, and it works', async () => {
    const answer = await create(team.member, { name: 'ci' });
    answers.expect('POST', '/v1/keys', answer);
    const key = answer.body as Key;
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', location: `/v1/keys/${key.id}` });
    expect(key).toMatchObject({
      name: 'ci',
      mode: 'live',
      prefix: 'rcpt_live_',
      service: false,
      expires_at: null,
    });
    expect(key.key).toMatch(/^rcpt_live_[0-9A-Za-z]{38}$/);
    expect(key.last4).toBe(key.key.slice(-4));
    expect(await works(key.key)).toBe(true);
    expect(JSON.stringify(await listed(team.owner))).not.toContain(key.key);
  });

  it('creates test keys, and keys that expire at the exact time', async () => {
    expect((await keyOf(create(team.member, { name: 't', mode: 'test' }))).prefix).toBe('rcpt_test_');
    const expiresAt = new Date(app.clock.now().getTime() + 3_000).toISOString();
    const { key, expires_at } = await keyOf(create(team.member, { name: 'short', expires_at: expiresAt }));
    expect(expires_at).toBe(expiresAt);
    expect(await works(key)).toBe(true);
    // The key is still cached.
    app.clock.advance(3_000);
    expectProblem(await app.get('/v1/me', key), 401, 'invalid_credential');
  });

  it('creates service keys for admins only, without a user and with the role member', async () => {
    expectProblem(await create(team.member, { name: 's', service: true }), 403, 'role_required');
    const made = await keyOf(create(team.admin, { name: 's', service: true }));
    expect(made).toMatchObject({ service: true, user_id: null });
    expect((await app.get('/v1/me', made.key)).body).toMatchObject({ user: null, role: 'member' });
  });

  it('is 401 no_user for a service key, before any 403', async () => {
    expectProblem(await create(team.service, { name: 'x', service: true }), 401, 'no_user');
  });

  it('is 403 live_key_required for a test key', async () => {
    expectProblem(await create(team.test, { name: 'x' }), 403, 'live_key_required');
  });

  it('creates keys for its own team only, also when its user owns another', async () => {
    const elsewhere = (await app.get('/v1/me', team.admin)).body as { user: { id: string } };
    const [own] = await query("SELECT team_id FROM members WHERE user_id = $1 AND role = 'owner'", [
      elsewhere.user.id,
    ]);
    const refused = await create(team.admin, { name: 'home', team_id: own?.team_id });
    expect(fieldErrorsOf(expectProblem(refused, 400, 'invalid_request'))).toEqual([
      '/team_id unknown_member',
    ]);
    expect((await keyOf(create(team.admin, { name: 'here' }))).team_id).toBe(team.id);
  });

  it.each([
    [{}, '/name invalid_type'],
    [{ name: '' }, '/name too_small'],
    [{ name: '  ' }, '/name too_small'],
    [{ name: 'x'.repeat(101) }, '/name too_big'],
    [{ name: 'a\0b' }, '/name invalid_format'],
    [{ name: 'x', mode: 'prod' }, '/mode invalid_value'],
    [{ name: 'x', service: 'yes' }, '/service invalid_type'],
    [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at invalid_format'],
    [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, '/expires_at not_in_the_future'],
    [{ name: 'x', user_id: 'usr_1' }, '/user_id unknown_member'],
    [{ name: 'x', role: 'owner' }, '/role unknown_member'],
  ])('%j is 400: %s', async (body, complaint) => {
    const problem = expectProblem(await create(team.owner, body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
  });

  it('allows a team 100 keys, also under concurrency; a revoked one does not count', async () => {
    const { liveKey } = await app.anAccount();
    const several = (count: number) =>
      Promise.all(Array.from({ length: count }, () => create(liveKey, { name: 'many' })));
    // Not all at once, because a slow machine would refuse those that wait too long for a database connection.
    for (let round = 0; round < 9; round++)
      expect((await several(10)).map(({ status }) => status)).toEqual(Array(10).fill(201));
    const made = await several(14);
    expect(made.filter(({ status }) => status === 201)).toHaveLength(8);
    const refused = made.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(6);
    for (const answer of refused)
      expect(expectProblem(answer, 409, 'limit_reached')).toMatchObject({ limit: 100, what: 'keys' });
    const first = made.find(({ status }) => status === 201)?.body as Key;
    await app.delete(`/v1/keys/${first.id}`, liveKey);
    expect((await create(liveKey, { name: 'again' })).status).toBe(201);
  });
});

describe('GET /v1/keys', () => {
  it('shows every member all keys of the team, newest first, masked', async () => {
    const answer = await app.get('/v1/keys?limit=100', team.member);
    answers.expect('GET', '/v1/keys', answer);
    const { data } = answer.body as { data: Key[] };
    expect(new Set(data.map(({ team_id }) => team_id))).toEqual(new Set([team.id]));
    expect(new Set(data.map(({ user_id }) => user_id)).size).toBeGreaterThan(3);
    expect(await listed(team.service)).toEqual(await listed(team.owner));
    expect(answer.text).not.toMatch(/rcpt_(live|test)_\w|digest/);
  });

  it('returns each key once over all pages, and refuses another team’s cursor', async () => {
    const all = (await listed(team.owner)).data.map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await app.get(`/v1/keys?limit=3${at}`, team.owner)).body as {
        data: Key[];
        next_cursor: string | null;
      };
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor === null || seen.length > 3) continue;
      const stranger = await app.anAccount();
      expectProblem(await app.get(`/v1/keys?cursor=${cursor}`, stranger.liveKey), 400, 'invalid_cursor');
    }
    expect(seen).toEqual(all);
  });
});

describe('DELETE /v1/keys/{id}', () => {
  it('revokes a key at once and permanently, and returns the same again', async () => {
    const { id, key } = await keyOf(create(team.member, { name: 'gone' }));
    expect(await works(key)).toBe(true);
    const first = await app.delete(`/v1/keys/${id}`, team.member);
    answers.expect('DELETE', '/v1/keys/{id}', first);
    expect(first.status).toBe(200);
    expect((first.body as Key).revoked_at).not.toBeNull();
    expect(await works(key)).toBe(false);
    app.clock.advance(10_000);
    expect((await app.delete(`/v1/keys/${id}`, team.member)).body).toEqual(first.body);
  });

  it('revokes a key once, under concurrent requests', async () => {
    const { id } = await keyOf(create(team.member, { name: 'gone' }));
    const all = await Promise.all(Array.from({ length: 6 }, () => app.delete(`/v1/keys/${id}`, team.member)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all[0]?.status).toBe(200);
    const news = "SELECT id FROM outbox WHERE type = 'key.revoked' AND data->>'key_id' = $1";
    expect(await query(news, [id])).toHaveLength(1);
  });

  it('lets a key revoke itself', async () => {
    const { id, key } = await keyOf(create(team.owner, { name: 'self', service: true }));
    expect((await app.delete(`/v1/keys/${id}`, key)).status).toBe(200);
    expect(await works(key)).toBe(false);
  });

  it('requires an admin for keys of others and for service keys', async () => {
    const others = await keyOf(create(team.owner, { name: 'owner’s' }));
    const service = await keyOf(create(team.owner, { name: 'service', service: true }));
    for (const { id } of [others, service]) {
      expectProblem(await app.delete(`/v1/keys/${id}`, team.member), 403, 'role_required');
      expectProblem(await app.delete(`/v1/keys/${id}`, team.service), 403, 'role_required');
      expect((await app.delete(`/v1/keys/${id}`, team.admin)).status).toBe(200);
    }
  });

  it('answers alike for another team’s key and a missing one', async () => {
    const { liveKey } = await app.anAccount();
    const [foreign] = (await listed(liveKey)).data;
    const texts = [];
    for (const id of [foreign?.id, 'key_none', '%00', 'x'.repeat(200)]) {
      const answer = await app.delete(`/v1/keys/${id}`, team.owner).set('X-Request-Id', 'the-same');
      expectProblem(answer, 404, 'not_found');
      texts.push(JSON.stringify({ ...(answer.body as object), instance: '' }));
    }
    expect(new Set(texts).size).toBe(1);
    expect(await works(liveKey)).toBe(true);
  });
});

it('changes of keys are audited and published, by ids only', async () => {
  const { id, key } = await keyOf(create(team.owner, { name: 'told' }));
  await app.delete(`/v1/keys/${id}`, team.owner);
  await app.delete(`/v1/keys/${id}`, team.owner);
  const audit = await query(
    'SELECT action, actor_user_id, ip, details FROM audit_log WHERE target_id = $1 ORDER BY seq',
    [id],
  );
  expect(audit.map(({ action }) => action)).toEqual(['key.created', 'key.revoked']);
  expect(audit[0]).toMatchObject({
    actor_user_id: team.account.user.id,
    ip: expect.stringContaining('127.0.0.1'),
  });
  const news = await query("SELECT type, data FROM outbox WHERE data->>'key_id' = $1 ORDER BY occurred_at", [
    id,
  ]);
  expect(news.map(({ type }) => type)).toEqual(['key.created', 'key.revoked']);
  const written = JSON.stringify([audit, news]) + app.logged();
  expect(written).not.toContain(key);
  expect(written).not.toMatch(/rcpt_(live|test)_\w|@team\.example/);
});

describe('PATCH /v1/keys/:id', () => {
  const rename = (by: string, id: string, body: object) =>
    app.request('patch', `/v1/keys/${id}`, by).send(body);

  it('gives a key another name: its user and admins may, and the audit log says that, not the name', async () => {
    const made = await keyOf(create(team.member, { name: 'before' }));
    const renamed = await rename(team.member, made.id, { name: '  after ' });
    answers.expect('PATCH', '/v1/keys/{id}', renamed);
    expect(renamed.body).toMatchObject({ id: made.id, name: 'after', last4: made.last4 });
    expect((await rename(team.admin, made.id, { name: 'by an admin' })).status).toBe(200);
    expect(await works(made.key)).toBe(true);
    await rename(team.admin, made.id, { name: 'by an admin' });
    const entries = await query(
      `SELECT details FROM audit_log WHERE action = 'key.renamed' AND target_id = $1`,
      [made.id],
    );
    expect(entries).toEqual([{ details: {} }, { details: {} }]);
    const ofAdmin = await keyOf(create(team.admin, { name: 'admin' }));
    expectProblem(await rename(team.member, ofAdmin.id, { name: 'mine' }), 403, 'role_required');
    expectProblem(await rename(team.member, made.id, { name: '' }), 400, 'invalid_request');
  });
});
