import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { JoinedResponse } from '../../../src/modules/accounts/accounts/invites/joining.dto.js';
import type { NewInviteResponse } from '../../../src/modules/identity/teams/invites/invites.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { auditActionsOf, joinTeam, undispatchedEventsOf, rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';

const DAY_MS = 86_400_000;

describe('accepting an invite', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  let owner: NewAccount;
  let people = 0;

  beforeAll(async () => {
    app = await anApp({ PUBLIC_URL: 'https://verify.example', TRUST_PROXY: '1', SIGNUP_PER_HOUR: '100' });
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    owner = await app.anAccount();
  });
  afterAll(() => app.stop());

  const someone = () => `person${++people}@example.com`;
  const invite = async (body: object = { email: someone() }, key = owner.liveKey) => {
    const answer = await app.post('/v1/team/invites', key).send(body);
    expect(answer.status).toBe(201);
    return answer.body as NewInviteResponse & { token: string };
  };
  const accept = (token: string, key: string, path = '/v1/invites/accept') =>
    app.post(path, key).send({ token });
  const revoke = (id: string, key = owner.liveKey) => app.delete(`/v1/team/invites/${id}`, key);

  it.each(['/v1/invites/accept', '/v1/team/invites/accept'])(
    'POST %s adds the key’s user to the team',
    async (path) => {
      const made = await invite({ email: someone(), role: 'admin' });
      const guest = await app.anAccount();
      const answer = await accept(made.token, guest.liveKey, path);
      answers.expect('POST', path, answer);
      const { team, member, key } = answer.body as JoinedResponse;
      expect(answer.headers['cache-control']).toBe('no-store');
      expect([answer.status, team.id, team.role, team.members.length]).toEqual([
        200,
        owner.team.id,
        'admin',
        2,
      ]);
      expect(member).toEqual(team.members[1]);
      expect(member).toMatchObject({ user_id: guest.user.id, email: guest.user.email, role: 'admin' });
      expect(await undispatchedEventsOf(app, owner.team.id)).toContainEqual({
        type: 'invite.accepted',
        data: { invite_id: made.id, member_id: member.id, user_id: guest.user.id, role: 'admin' },
      });
      expect((await auditActionsOf(app, owner.team.id)).slice(-3)).toEqual([
        'invite.created',
        'invite.accepted',
        'key.created',
      ]);
      expect(key).toMatchObject({ mode: 'live', user_id: guest.user.id, team_id: owner.team.id });
      expect((await app.get('/v1/me', key?.key ?? '')).body).toMatchObject({
        user: { id: guest.user.id },
        team: { id: owner.team.id },
        role: 'admin',
      });
    },
  );

  it('shows the new key once: a replay leaves out the key, and the log contains none of it', async () => {
    const made = await invite();
    const guest = await app.anAccount();
    const once = () => accept(made.token, guest.liveKey).set('Idempotency-Key', 'join');
    const first = (await once()).body as JoinedResponse;
    const replay = await once();
    answers.expect('POST', '/v1/invites/accept', replay);
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.body).toEqual({ ...first, key: { ...first.key, key: null } });
    expect(app.logged()).not.toContain(first.key?.key);
  });

  it('fails when the team has its maximum number of keys, and the invite stays valid', async () => {
    const made = await invite();
    const guest = await app.anAccount();
    const ids: string[] = [];
    while (ids.length < 98) {
      const made = await app.post('/v1/keys', owner.liveKey).send({ name: 'k' });
      ids.push((made.body as { id: string }).id);
    }
    expect(expectProblem(await accept(made.token, guest.liveKey), 409, 'limit_reached')).toMatchObject({
      what: 'keys',
    });
    await app.delete(`/v1/keys/${ids[0]}`, owner.liveKey);
    expect((await accept(made.token, guest.liveKey)).status).toBe(200);
  });

  it('does not change a member, and uses the invite', async () => {
    const made = await invite({ email: someone(), role: 'admin' });
    const member = await joinTeam(app, owner);
    const answer = await accept(made.token, member.key);
    const { member: stays, key } = answer.body as JoinedResponse;
    answers.expect('POST', '/v1/invites/accept', answer);
    expect([answer.status, stays.role, key]).toEqual([200, 'member', null]);
    expectProblem(await accept(made.token, (await app.anAccount()).liveKey), 404, 'invalid_invite');
  });

  it('20 concurrent requests of one user create one membership', async () => {
    const made = await invite();
    const guest = await app.anAccount();
    const all = await Promise.all(Array.from({ length: 20 }, () => accept(made.token, guest.liveKey)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    expect(await rowsOf(app, 'SELECT 1 FROM members WHERE team_id = $1', [owner.team.id])).toHaveLength(2);
  });

  it('of 20 users with one token at the same time, one joins', async () => {
    const made = await invite();
    const guests = await Promise.all(Array.from({ length: 20 }, () => app.anAccount()));
    const all = await Promise.all(guests.map(({ liveKey }) => accept(made.token, liveKey)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rowsOf(app, 'SELECT 1 FROM members WHERE team_id = $1', [owner.team.id])).toHaveLength(2);
    expect(
      (await undispatchedEventsOf(app, owner.team.id)).filter(({ type }) => type === 'invite.accepted'),
    ).toHaveLength(1);
  });

  it('answers alike for unknown, used, revoked and expired tokens, and those of a deleted team', async () => {
    const used = await invite();
    await accept(used.token, (await app.anAccount()).liveKey);
    const revoked = await invite();
    await revoke(revoked.id);
    const expired = await invite({ email: someone(), expires_in_days: 1 });
    app.clock.advance(DAY_MS);
    const orphaned = await app.anAccount();
    const gone = await invite({ email: someone() }, orphaned.liveKey);
    await app.delete('/v1/team', orphaned.liveKey);
    const guest = await app.anAccount();
    const bodies = [];
    for (const token of [used, revoked, expired, gone]
      .map(({ token }) => token)
      .concat(`rcpt_invite_${'a'.repeat(43)}`, 'x')) {
      const refused = await accept(token, guest.liveKey);
      answers.expect('POST', '/v1/invites/accept', refused);
      bodies.push({ ...expectProblem(refused, 404, 'invalid_invite'), request_id: null });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expectProblem(await accept('', guest.liveKey), 400, 'invalid_request');
    expectProblem(await accept(`rcpt_invite_${'a'.repeat(43)}`, guest.testKey), 403, 'live_key_required');
  });

  describe('reading an invite by its token', () => {
    const read = (token: string, from = '198.51.100.1') =>
      app.post('/invites/read').set('X-Forwarded-For', from).send({ token });

    it('says the team, the inviter, the address and the role, and uses nothing up', async () => {
      const email = someone();
      const made = await invite({ email, role: 'admin' });
      const answer = await read(made.token);
      answers.expect('POST', '/invites/read', answer);
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(answer.body).toEqual({
        team: owner.team.name,
        invited_by: owner.user.email,
        email,
        role: 'admin',
        expires_at: made.expires_at,
      });
      expect((await read(made.token)).status).toBe(200);
      expect((await accept(made.token, (await app.anAccount()).liveKey)).status).toBe(200);
      expect(app.logged()).not.toContain(made.token);
    });

    it('does not show the address of an inviter who has not confirmed it', async () => {
      const made = await invite({ email: someone(), role: 'admin' });
      const claimed = { email: someone(), invite_token: made.token };
      const { key } = (await app.post('/signup').send(claimed)).body as { key: { key: string } };
      const { token } = await invite({ email: someone() }, key.key);
      expect((await read(token)).body).toMatchObject({ team: owner.team.name, invited_by: null });
    });

    it('is refused as the invite is, once its inviter may not give the role any more', async () => {
      const { token } = await invite({ email: someone(), role: 'admin' });
      const sql = `UPDATE members SET role = 'member' WHERE user_id = $1`;
      await app.service.app.get(DataSource).query(sql, [owner.user.id]);
      expectProblem(await read(token), 404, 'invalid_invite');
      expectProblem(await accept(token, (await app.anAccount()).liveKey), 404, 'invalid_invite');
    });

    it('answers alike for unknown, used and revoked tokens, and those of a deleted team', async () => {
      const used = await invite();
      await accept(used.token, (await app.anAccount()).liveKey);
      const revoked = await invite();
      await revoke(revoked.id);
      const orphaned = await app.anAccount();
      const gone = await invite({ email: someone() }, orphaned.liveKey);
      await app.delete('/v1/team', orphaned.liveKey);
      const bodies = [];
      for (const token of [used.token, revoked.token, gone.token, `rcpt_invite_${'a'.repeat(43)}`, 'x']) {
        const refused = await read(token);
        answers.expect('POST', '/invites/read', refused);
        bodies.push({ ...expectProblem(refused, 404, 'invalid_invite'), request_id: null });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expectProblem(await read(''), 400, 'invalid_request');
      expectProblem(
        await app.post('/invites/read').type('form').send({ token: 'x' }),
        415,
        'unsupported_media_type',
      );
    });

    it('is limited for each network of clients', async () => {
      for (let reads = 0; reads < 60; reads++) await read('x', '203.0.113.5');
      expectProblem(await read('x', '203.0.113.5'), 429, 'rate_limited');
      expectProblem(await read('x', '203.0.113.6'), 404, 'invalid_invite');
    });
  });
});
