import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { NewInviteResponse } from '../../../src/modules/identity/teams/invites/invites.dto.js';
import type { TeamResponse } from '../../../src/modules/identity/teams/team/teams.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import {
  auditActionsOf,
  aKeyOf,
  joinTeam,
  rowsOf,
  undispatchedEventsOf,
  type TestMember,
} from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

/** Longer than a process caches a key. */
const FORGOTTEN_MS = 5_000;

describe('/v1/team/members/{id}', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  let owner: NewAccount;
  let admin: TestMember;
  let member: TestMember;
  let ownerId: string;
  let guests = 0;

  beforeAll(async () => {
    app = await anApp({ SIGNUP_PER_HOUR: '100' });
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    owner = await app.anAccount();
    admin = await joinTeam(app, owner, 'admin');
    member = await joinTeam(app, owner);
    ownerId = (await team()).members[0]?.id ?? '';
  });
  afterAll(() => app.stop());

  const remove = (id: string, key: string) => app.delete(`/v1/team/members/${id}`, key);
  const change = (id: string, body: object, key: string) =>
    supertest(app.url).patch(`/v1/team/members/${id}`).set('Authorization', `Bearer ${key}`).send(body);
  const team = async (key = owner.liveKey) => (await app.get('/v1/team', key)).body as TeamResponse;
  const invited = async (key: string, role: string) => {
    const email = `guest${++guests}@example.com`;
    const answer = await app.post('/v1/team/invites', key).send({ email, role });
    return answer.body as NewInviteResponse & { token: string };
  };
  const statusesOf = (...invites: { id: string }[]) =>
    Promise.all(
      invites.map(async ({ id }) => {
        const answer = await app.get(`/v1/team/invites/${id}`, owner.liveKey);
        return (answer.body as NewInviteResponse).status;
      }),
    );
  const expectRefused = async (token: string) => {
    const { liveKey } = await app.anAccount();
    for (const path of ['/v1/invites/accept', '/v1/team/invites/accept'])
      expectProblem(await app.post(path, liveKey).send({ token }), 404, 'invalid_invite');
    const body = { email: `guest${++guests}@example.com`, invite_token: token };
    expectProblem(await app.post('/signup').send(body), 404, 'invalid_invite');
  };
  const roles = async () => (await team()).members.map(({ id, role }) => [id, role]);

  describe('DELETE', () => {
    it('an admin removes a member, whose keys of this team are revoked and whose others are not', async () => {
      const answer = await remove(member.id, admin.key);
      expect([answer.status, answer.text]).toEqual([204, '']);
      app.clock.advance(FORGOTTEN_MS);
      expectProblem(await app.get('/v1/team', member.key), 401, 'invalid_credential');
      expect((await team(member.account.liveKey)).role).toBe('owner');
      expect((await team()).members.map(({ id }) => id)).toEqual([ownerId, admin.id]);
    });

    it('is published and audited, with ids only', async () => {
      await remove(member.id, admin.key);
      expect(await undispatchedEventsOf(app, owner.team.id)).toContainEqual({
        type: 'member.removed',
        data: { user_id: member.userId, member_id: member.id },
      });
      expect((await auditActionsOf(app, owner.team.id)).at(-1)).toBe('member.removed');
    });

    it('a member may leave, and remove nobody else', async () => {
      const refused = await remove(admin.id, member.key);
      answers.expect('DELETE', '/v1/team/members/{id}', refused);
      expect(expectProblem(refused, 403, 'role_required')).toMatchObject({ required_role: 'admin' });
      expect((await remove(member.id, member.key)).status).toBe(204);
      expect((await team()).members).toHaveLength(2);
    });

    it('without permission is 403, whether or not the member exists', async () => {
      const service = await aKeyOf(app, owner, null);
      for (const key of [member.key, service]) {
        const bodies = [];
        for (const id of [admin.id, 'mem_01jd000000000000000000000v', 'nonsense', '%00']) {
          const problem = expectProblem(await remove(id, key), 403, 'role_required');
          bodies.push({ ...problem, instance: null, request_id: null });
        }
        expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      }
    });

    it('an admin may leave, and remove another admin', async () => {
      const other = await joinTeam(app, owner, 'admin');
      expect((await remove(other.id, admin.key)).status).toBe(204);
      expect((await remove(admin.id, admin.key)).status).toBe(204);
    });

    it('service keys and test keys cannot remove members', async () => {
      expectProblem(await remove(member.id, await aKeyOf(app, owner, null)), 403, 'role_required');
      expectProblem(await remove(member.id, owner.testKey), 403, 'live_key_required');
      expect((await team()).members).toHaveLength(3);
    });

    it('the owner cannot be removed, not even by the owner', async () => {
      for (const key of [admin.key, owner.liveKey]) {
        const refused = await remove(ownerId, key);
        answers.expect('DELETE', '/v1/team/members/{id}', refused);
        expectProblem(refused, 400, 'cannot_remove_owner');
      }
    });

    it('revokes the pending invites that the member made, in the same transaction, with an audit entry each', async () => {
      const made = [await invited(admin.key, 'admin'), await invited(admin.key, 'member')];
      const byOwner = await invited(owner.liveKey, 'admin');
      expect((await remove(admin.id, admin.key)).status).toBe(204);
      expect(await statusesOf(...made, byOwner)).toEqual(['revoked', 'revoked', 'pending']);
      const actions = ['member.removed', 'invite.revoked', 'invite.revoked'];
      expect((await auditActionsOf(app, owner.team.id)).slice(-3)).toEqual(actions);
      for (const { token } of made) await expectRefused(token);
      const joined = await app
        .post('/v1/invites/accept', admin.account.liveKey)
        .send({ token: byOwner.token });
      expect(joined.status).toBe(200);
    });

    it('leaves no valid invite of the removed member, whatever the order of concurrent requests', async () => {
      const answers = await Promise.all([
        app.post('/v1/team/invites', admin.key).send({ email: 'a@example.com', role: 'admin' }),
        remove(admin.id, owner.liveKey),
        app.post('/v1/team/invites', admin.key).send({ email: 'b@example.com', role: 'admin' }),
      ]);
      for (const { body } of answers) {
        const { token } = body as { token?: string };
        if (token !== undefined) await expectRefused(token);
      }
      const pending = await app.get('/v1/team/invites?status=pending', owner.liveKey);
      expect(pending.body).toMatchObject({ data: [] });
    });

    it('a removed user may be invited and join again', async () => {
      await remove(member.id, admin.key);
      const invite = await app.post('/v1/team/invites', owner.liveKey).send({ email: member.email });
      const { token } = invite.body as { token: string };
      const joined = await app.post('/v1/invites/accept', member.account.liveKey).send({ token });
      expect(joined.status).toBe(200);
      expect((joined.body as { member: { id: string } }).member.id).not.toBe(member.id);
    });
  });

  describe('PATCH', () => {
    it('the owner changes a member’s role, which applies to the next call', async () => {
      const answer = await change(member.id, { role: 'admin' }, owner.liveKey);
      answers.expect('PATCH', '/v1/team/members/{id}', answer);
      expect(answer.body).toMatchObject({ id: member.id, email: member.email, role: 'admin' });
      app.clock.advance(FORGOTTEN_MS);
      expect((await remove(admin.id, member.key)).status).toBe(204);
      expect((await auditActionsOf(app, owner.team.id)).slice(-2)).toEqual([
        'member.role_changed',
        'member.removed',
      ]);
    });

    it('revokes the pending invites of a demoted member for a higher role', async () => {
      const made = [await invited(admin.key, 'admin'), await invited(admin.key, 'member')] as const;
      expect((await change(admin.id, { role: 'member' }, owner.liveKey)).status).toBe(200);
      expect(await statusesOf(...made)).toEqual(['revoked', 'pending']);
      await expectRefused(made[0].token);
      const actions = ['member.role_changed', 'invite.revoked'];
      expect((await auditActionsOf(app, owner.team.id)).slice(-2)).toEqual(actions);
    });

    it('an invite gives no role above the inviter’s current one, with any way to accept it', async () => {
      const { token } = await invited(admin.key, 'admin');
      await rowsOf(app, "UPDATE members SET role = 'member' WHERE id = $1", [admin.id]);
      await expectRefused(token);
      await rowsOf(app, 'DELETE FROM members WHERE id = $1', [admin.id]);
      await expectRefused(token);
    });

    it('requires the owner', async () => {
      for (const key of [admin.key, member.key, await aKeyOf(app, owner, null)]) {
        const refused = await change(member.id, { role: 'admin' }, key);
        answers.expect('PATCH', '/v1/team/members/{id}', refused);
        expect(expectProblem(refused, 403, 'role_required')).toMatchObject({ required_role: 'owner' });
      }
    });

    it('the role owner transfers ownership: the previous owner becomes admin', async () => {
      const answer = await change(member.id, { role: 'owner' }, owner.liveKey);
      expect([answer.status, (answer.body as { role: string }).role]).toEqual([200, 'owner']);
      expect(await roles()).toEqual([
        [ownerId, 'admin'],
        [admin.id, 'admin'],
        [member.id, 'owner'],
      ]);
      expectProblem(await change(admin.id, { role: 'owner' }, owner.liveKey), 403, 'role_required');
      expect((await remove(ownerId, member.key)).status).toBe(204);
    });

    it('the owner cannot step down without a transfer', async () => {
      for (const role of ['admin', 'member']) {
        const refused = await change(ownerId, { role }, owner.liveKey);
        answers.expect('PATCH', '/v1/team/members/{id}', refused);
        expectProblem(refused, 400, 'last_owner');
      }
      expect((await change(ownerId, { role: 'owner' }, owner.liveKey)).status).toBe(200);
      expect((await roles())[0]).toEqual([ownerId, 'owner']);
    });

    it('setting the same role changes nothing and is not audited', async () => {
      const before = await auditActionsOf(app, owner.team.id);
      expect((await change(admin.id, { role: 'admin' }, owner.liveKey)).status).toBe(200);
      expect(await auditActionsOf(app, owner.team.id)).toEqual(before);
    });

    it.each([
      [{}, ['/role invalid_value']],
      [{ role: 'king' }, ['/role invalid_value']],
      [{ role: 'admin', email: 'x@example.com' }, ['/email unknown_member']],
    ])('refuses %j', async (body, complaints) => {
      const refused = await change(member.id, body, owner.liveKey);
      expect(fieldErrorsOf(expectProblem(refused, 400, 'invalid_request'))).toEqual(complaints);
    });
  });

  it('another team’s member has the same response as a missing one', async () => {
    const stranger = await app.anAccount();
    const theirs = ((await app.get('/v1/team', stranger.liveKey)).body as TeamResponse).members[0]?.id ?? '';
    for (const call of [
      (id: string) => remove(id, owner.liveKey),
      (id: string) => change(id, { role: 'admin' }, owner.liveKey),
    ]) {
      const bodies = [];
      for (const id of [theirs, 'mem_01jd000000000000000000000v', 'nonsense', '%00', '..%2f']) {
        const problem = expectProblem(await call(id), 404, 'not_found');
        bodies.push({ ...problem, instance: null, request_id: null });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    }
  });
});
