import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { KeyUseService } from '../../../src/modules/identity/api-keys/key-use.service.js';
import type { TeamResponse } from '../../../src/modules/identity/teams/team/teams.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { auditActionsOf, aKeyOf, joinTeam, undispatchedEventsOf, rowsOf } from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

/** Longer than a process caches a key. */
const FORGOTTEN_MS = 5_000;

describe('/v1/team', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  let owner: NewAccount;

  beforeAll(async () => {
    app = await anApp();
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    owner = await app.anAccount();
  });
  afterAll(() => app.stop());

  const patch = (body: object, key = owner.liveKey) =>
    supertest(app.url).patch('/v1/team').set('Authorization', `Bearer ${key}`).send(body);
  const team = async (key = owner.liveKey): Promise<TeamResponse> => {
    const answer = await app.get('/v1/team', key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/team', answer);
    return answer.body as TeamResponse;
  };

  describe('GET', () => {
    it('shows the team, its members in the order in which they joined, and the caller’s role', async () => {
      const admin = await joinTeam(app, owner, 'admin');
      const { id, email } = owner.user;
      expect(await team()).toEqual({
        id: owner.team.id,
        name: 'A team',
        tier: 'unlimited',
        role: 'owner',
        created_at: expect.stringMatching(/Z$/),
        retention_days: 30,
        max_retention_days: 30,
        role_is_risky: false,
        members: [
          {
            id: expect.stringMatching(/^mem_/),
            user_id: id,
            email,
            role: 'owner',
            confirmed: true,
            joined_at: expect.any(String),
            last_active_at: null,
          },
          {
            id: admin.id,
            user_id: admin.userId,
            email: admin.email,
            role: 'admin',
            confirmed: true,
            joined_at: expect.any(String),
            last_active_at: null,
          },
        ],
      });
      expect((await team(admin.key)).role).toBe('admin');
      expect((await team(admin.account.liveKey)).members).toHaveLength(1);
    });

    it('says who has shown to own their address, and when each was last active', async () => {
      const invite = { email: 'claimed@example.com', role: 'member' };
      const { token } = (await app.post('/v1/team/invites', owner.liveKey).send(invite)).body as {
        token: string;
      };
      const joined = await app.post('/signup').send({ email: 'claimed@example.com', invite_token: token });
      const { key } = joined.body as { key: { key: string } };
      const claimed = async () => (await team()).members.find(({ email }) => email === invite.email);
      expect(await claimed()).toMatchObject({ confirmed: false, last_active_at: null });
      const before = app.clock.now().getTime();
      await app.get('/v1/me', key.key).expect(200);
      await app.service.app.get(KeyUseService).flush();
      const at = Date.parse((await claimed())?.last_active_at ?? '');
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(app.clock.now().getTime());
      // Strangers use a publishable key.
      app.clock.advance(60_000);
      const form = { name: 'form', kind: 'publishable', allowed_origins: ['https://www.example.com'] };
      const { key: open } = (await app.post('/v1/keys', owner.liveKey).send(form)).body as { key: string };
      await app.service.app.get(KeyUseService).flush();
      const [member] = (await team(key.key)).members;
      app.clock.advance(60_000);
      const from = app.post('/v1/verify', open).set('Origin', 'https://www.example.com');
      await from.send({ email: 'no address' }).expect(200);
      await app.service.app.get(KeyUseService).flush();
      expect((await team(key.key)).members[0]).toEqual(member);
    });

    it('a service key sees it like a member, a test key like its user', async () => {
      expect((await team(await aKeyOf(app, owner, null))).role).toBe('member');
      expect((await team(owner.testKey)).role).toBe('owner');
    });

    it('shows the tier in force, and its retention when the team has chosen none or more', async () => {
      await patch({ retention_days: 20 });
      await rowsOf(app, `UPDATE teams SET base_tier = 'free' WHERE id = $1`, [owner.team.id]);
      expect(await team()).toMatchObject({ tier: 'free', retention_days: 7, max_retention_days: 7 });
      await rowsOf(app, `UPDATE teams SET subscription_tier = 'growth' WHERE id = $1`, [owner.team.id]);
      expect(await team()).toMatchObject({ tier: 'growth', retention_days: 20 });
    });
  });

  describe('PATCH', () => {
    it('changes the given fields only', async () => {
      const named = await patch({ name: '  Blue team ' });
      answers.expect('PATCH', '/v1/team', named);
      expect(named.body).toMatchObject({ name: 'Blue team', retention_days: 30, role_is_risky: false });
      expect((await patch({ retention_days: 0, role_is_risky: true })).body).toMatchObject({
        name: 'Blue team',
        retention_days: 0,
        role_is_risky: true,
      });
      expect((await patch({ role_is_risky: false })).body).toMatchObject({
        retention_days: 0,
        role_is_risky: false,
      });
      expect(await team()).toEqual((await patch({ retention_days: 0 })).body);
      expect(await auditActionsOf(app, owner.team.id)).toContain('team.updated');
    });

    it('logs only what differs, and nothing for a request that changes nothing', async () => {
      const entries = () =>
        rowsOf<{ details: unknown }>(
          app,
          `SELECT details FROM audit_log WHERE team_id = $1 AND action = 'team.updated' ORDER BY seq`,
          [owner.team.id],
        );
      const { name } = await team();
      await patch({ name, role_is_risky: false });
      expect(await entries()).toEqual([]);
      await patch({ name, role_is_risky: true, retention_days: 7 });
      await patch({ retention_days: 7 });
      expect(await entries()).toEqual([
        { details: { retention_days: { from: null, to: 7 }, role_is_risky: { from: false, to: true } } },
      ]);
    });

    it('applies to the team’s next verdict', async () => {
      await patch({ role_is_risky: true });
      app.clock.advance(FORGOTTEN_MS);
      const verdict = await app.get('/v1/verify?email=sales@example.com', owner.testKey);
      expect(verdict.body).toMatchObject({ status: 'risky', reason: 'role' });
    });

    it.each([
      [{}, [' invalid_value']],
      [{ name: ' ' }, ['/name too_small']],
      [{ name: 'x'.repeat(101) }, ['/name too_big']],
      [{ name: 'two\nlines' }, ['/name invalid_format']],
      [{ name: 'a\u0000b' }, ['/name invalid_format']],
      [{ name: null }, ['/name invalid_type']],
      [{ retention_days: -1 }, ['/retention_days too_small']],
      [{ retention_days: 1.5 }, ['/retention_days invalid_type']],
      [{ retention_days: 31 }, ['/retention_days too_big']],
      [{ role_is_risky: 'yes' }, ['/role_is_risky invalid_type']],
      [{ name: 'ok', tier: 'unlimited' }, ['/tier unknown_member']],
    ])('refuses %j and changes nothing', async (body, complaints) => {
      const before = await team();
      const answer = await patch(body);
      answers.expect('PATCH', '/v1/team', answer);
      expect(fieldErrorsOf(expectProblem(answer, 400, 'invalid_request'))).toEqual(complaints);
      expect(await team()).toEqual(before);
    });

    it('refuses a retention longer than the tier’s', async () => {
      await rowsOf(app, `UPDATE teams SET base_tier = 'free' WHERE id = $1`, [owner.team.id]);
      expect(
        fieldErrorsOf(expectProblem(await patch({ retention_days: 8 }), 400, 'invalid_request')),
      ).toEqual(['/retention_days too_big']);
      expect((await patch({ retention_days: 7 })).status).toBe(200);
    });

    it('requires an admin and a live key', async () => {
      const [admin, member] = [await joinTeam(app, owner, 'admin'), await joinTeam(app, owner)];
      expect((await patch({ name: 'By admin' }, admin.key)).status).toBe(200);
      expect(expectProblem(await patch({ name: 'x' }, member.key), 403, 'role_required')).toMatchObject({
        required_role: 'admin',
      });
      expectProblem(await patch({ name: 'x' }, await aKeyOf(app, owner, null)), 403, 'role_required');
      expectProblem(await patch({ name: 'x' }, owner.testKey), 403, 'live_key_required');
      expect((await team()).name).toBe('By admin');
    });
  });

  describe('DELETE', () => {
    it('requires the owner', async () => {
      const admin = await joinTeam(app, owner, 'admin');
      for (const key of [admin.key, await aKeyOf(app, owner, null)]) {
        const answer = await app.delete('/v1/team', key);
        expect(expectProblem(answer, 403, 'role_required')).toMatchObject({ required_role: 'owner' });
      }
      expectProblem(await app.delete('/v1/team', owner.testKey), 403, 'live_key_required');
      expectProblem(await app.delete('/v1/team'), 401, 'missing_credential');
      expect((await team()).members).toHaveLength(2);
    });

    it('deletes all data of the team, and revokes its keys', async () => {
      const member = await joinTeam(app, owner);
      await app.post('/v1/team/invites', owner.liveKey).send({ email: 'jane@example.com' });
      const answer = await app.delete('/v1/team', owner.liveKey);
      expect([answer.status, answer.text]).toEqual([204, '']);
      app.clock.advance(FORGOTTEN_MS);
      for (const key of [owner.liveKey, owner.testKey, member.key]) {
        expectProblem(await app.get('/v1/team', key), 401, 'invalid_credential');
      }
      for (const table of ['members', 'api_keys', 'invites']) {
        expect(await rowsOf(app, `SELECT 1 FROM ${table} WHERE team_id = $1`, [owner.team.id])).toEqual([]);
      }
    });

    it('deletes users without another team, and keeps the teams of the others', async () => {
      const member = await joinTeam(app, owner);
      await app.delete('/v1/team', owner.liveKey);
      const left = await rowsOf(app, 'SELECT id FROM users WHERE id IN ($1, $2)', [
        owner.user.id,
        member.userId,
      ]);
      expect(left).toEqual([{ id: member.userId }]);
      expect((await team(member.account.liveKey)).role).toBe('owner');
    });

    it('is published, and stays in the audit log with all earlier entries', async () => {
      await patch({ name: 'Short-lived' });
      await app.delete('/v1/team', owner.liveKey);
      expect(await undispatchedEventsOf(app, owner.team.id)).toContainEqual({
        type: 'team.deleted',
        data: {},
      });
      const acts = await auditActionsOf(app, owner.team.id);
      expect(acts.slice(-2)).toEqual(['team.updated', 'team.deleted']);
    });

    it('many times concurrently is executed once, without internal errors', async () => {
      const tries = await Promise.all(
        Array.from({ length: 10 }, () => app.delete('/v1/team', owner.liveKey)),
      );
      const statuses = tries.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(204);
      expect(statuses.filter((status) => status === 204)).toHaveLength(1);
      expect(statuses.every((status) => [204, 401, 404].includes(status))).toBe(true);
      expect(
        (await undispatchedEventsOf(app, owner.team.id)).filter(({ type }) => type === 'team.deleted'),
      ).toHaveLength(1);
    });
  });
});
