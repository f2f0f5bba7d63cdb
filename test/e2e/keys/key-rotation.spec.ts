import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { joinTeam } from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

interface Key {
  id: string;
  key: string;
  user_id: string | null;
  expires_at: string | null;
  revoked_at: string | null;
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

const aKey = async (by: string, wish: object = {}) =>
  (await app.post('/v1/keys', by).send({ name: 'old', ...wish })).body as Key;
const rotate = (by: string, id: string, body?: object) => app.post(`/v1/keys/${id}/rotate`, by).send(body);
const works = async (key: string) => (await app.get('/v1/me', key)).status === 200;
const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
const listed = async (id: string) =>
  ((await app.get('/v1/keys?limit=100', team.owner)).body as { data: Key[] }).data.find(
    (key) => key.id === id,
  );

describe('POST /v1/keys/{id}/rotate', () => {
  it('replaces a key by one of the same kind, and revokes the old one at once', async () => {
    const expires_at = inSeconds(3_600);
    const old = await aKey(team.member, { mode: 'test', expires_at });
    expect(await works(old.key)).toBe(true);
    const answer = await rotate(team.member, old.id);
    answers.expect('POST', '/v1/keys/{id}/rotate', answer);
    const next = answer.body as Key;
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', location: `/v1/keys/${next.id}` });
    expect(next).toMatchObject({ name: 'old', mode: 'test', service: false, expires_at });
    expect([next.id, next.key]).not.toContain(old.id);
    expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
  });

  it('keeps the old key valid until the exact end of the grace period', async () => {
    const old = await aKey(team.member);
    const next = (await rotate(team.member, old.id, { grace_seconds: 60 })).body as Key;
    app.clock.advance(57_000);
    expect([await works(old.key), await works(next.key)]).toEqual([true, true]);
    app.clock.advance(3_000);
    expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
  });

  it('never extends the old key beyond its own expiry', async () => {
    const expires_at = inSeconds(60);
    const { id } = await aKey(team.member, { expires_at });
    await rotate(team.member, id, { grace_seconds: 2_592_000 });
    expect(await listed(id)).toMatchObject({ expires_at, revoked_at: null });
  });

  it('requires an admin for service keys, also of the key itself', async () => {
    const service = await aKey(team.owner, { service: true });
    for (const by of [team.member, team.service, service.key]) {
      const problem = expectProblem(await rotate(by, service.id), 403, 'role_required');
      expect(problem).toMatchObject({ required_role: 'admin' });
    }
    expect((await rotate(team.admin, service.id)).status).toBe(201);
  });

  it('refuses the key of another user for every role: that user may own other teams', async () => {
    const keys = [await aKey(team.owner), await aKey(team.admin), await aKey(team.member)];
    for (const by of [team.owner, team.admin, team.member, team.service]) {
      const { user } = (await app.get('/v1/me', by)).body as { user: { id: string } | null };
      for (const { id } of keys.filter((key) => key.user_id !== user?.id)) {
        const refused = await rotate(by, id);
        answers.expect('POST', '/v1/keys/{id}/rotate', refused);
        expect(expectProblem(refused, 403, 'role_required')).toMatchObject({ required_role: null });
      }
    }
    for (const { key } of keys) expect(await works(key)).toBe(true);
  });

  it('of a member’s key gives no access to other teams of that member', async () => {
    const member = await joinTeam(app, team.account);
    const { key } = await aKey(member.key);
    const profile = await app.get('/v1/me', key);
    expect(profile.body).toMatchObject({ user: { id: member.userId }, team: { id: team.id } });
    expect(
      (await app.post('/v1/keys', key).send({ name: 'k', team_id: member.account.team.id })).status,
    ).toBe(400);
    expectProblem(await app.delete('/v1/team', key), 403, 'role_required');
    expect(await works(member.account.liveKey)).toBe(true);
  });

  it('of an invalid key is 409', async () => {
    const revoked = await aKey(team.member);
    await app.delete(`/v1/keys/${revoked.id}`, team.member);
    expectProblem(await rotate(team.member, revoked.id), 409, 'key_not_active');
    const expired = await aKey(team.member, { expires_at: inSeconds(1) });
    app.clock.advance(1_000);
    expectProblem(await rotate(team.member, expired.id), 409, 'key_not_active');
  });

  it('twice concurrently without grace creates one new key', async () => {
    const { id } = await aKey(team.member);
    const both = await Promise.all([rotate(team.member, id), rotate(team.member, id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('never exceeds 100 keys: without grace a full team may rotate, with grace it may not', async () => {
    const { liveKey } = await app.anAccount();
    const made = [];
    for (let batch = 0; batch < 7; batch++)
      made.push(...(await Promise.all(Array.from({ length: 14 }, () => aKey(liveKey)))));
    const id = made[0]?.id ?? '';
    expectProblem(await rotate(liveKey, id, { grace_seconds: 60 }), 409, 'limit_reached');
    expect((await rotate(liveKey, id)).status).toBe(201);
  });

  it('is 404 for foreign and missing keys alike, and 403 for a test key', async () => {
    const stranger = await app.anAccount();
    const { id } = await aKey(stranger.liveKey);
    const texts = [];
    for (const wanted of [id, 'key_none', '%00']) {
      const answer = await rotate(team.owner, wanted).set('X-Request-Id', 'the-same');
      expectProblem(answer, 404, 'not_found');
      texts.push(JSON.stringify({ ...(answer.body as object), instance: '' }));
    }
    expect(new Set(texts).size).toBe(1);
    expectProblem(await rotate(team.test, id), 403, 'live_key_required');
  });

  it.each([[-1], [2_592_001], [1.5], ['60'], [null]])('grace_seconds %j is 400', async (grace_seconds) => {
    const { id } = await aKey(team.member);
    const problem = expectProblem(await rotate(team.member, id, { grace_seconds }), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([expect.stringMatching(/^\/grace_seconds /)]);
  });
});
