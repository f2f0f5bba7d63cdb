import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { TeamsService } from '../../../src/modules/identity/teams/team/teams.service.js';
import type {
  InviteResponse,
  NewInviteResponse,
} from '../../../src/modules/identity/teams/invites/invites.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aKeyOf, joinTeam, rowsOf } from '../../support/app/joins.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

const DAY_MS = 86_400_000;

interface Invites {
  data: InviteResponse[];
  has_more: boolean;
  next_cursor: string | null;
}

describe('/v1/team/invites', () => {
  let app: TestApp;
  let answers: ResponseValidator;
  let owner: NewAccount;
  let people = 0;

  beforeAll(async () => {
    app = await anApp();
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    owner = await app.anAccount();
  });
  afterAll(() => app.stop());

  const someone = () => `person${++people}@example.com`;
  const post = (body: object, key = owner.liveKey) => app.post('/v1/team/invites', key).send(body);
  const invite = async (body: object = { email: someone() }, key = owner.liveKey) => {
    const answer = await post(body, key);
    answers.expect('POST', '/v1/team/invites', answer);
    expect(answer.status).toBe(201);
    return answer.body as NewInviteResponse & { token: string };
  };
  const list = async (query = '', key = owner.liveKey): Promise<Invites> => {
    const answer = await app.get(`/v1/team/invites${query}`, key);
    answers.expect('GET', '/v1/team/invites', answer);
    expect(answer.status).toBe(200);
    return answer.body as Invites;
  };
  const accept = (token: string, key: string, path = '/v1/invites/accept') =>
    app.post(path, key).send({ token });
  const revoke = (id: string, key = owner.liveKey) => app.delete(`/v1/team/invites/${id}`, key);
  const statuses = async (query = '') => (await list(query)).data.map(({ status }) => status);

  describe('POST /v1/team/invites', () => {
    it('returns the invite, with its token once, which is stored as a digest only', async () => {
      const answer = await post({ email: 'Jane.Doe@Example.com', role: 'admin', expires_in_days: 3 });
      expect(answer.headers['cache-control']).toBe('no-store');
      const made = answer.body as NewInviteResponse & { token: string };
      expect(made).toMatchObject({
        email: 'Jane.Doe@Example.com',
        role: 'admin',
        status: 'pending',
        invited_by: owner.user.id,
        accepted_at: null,
        accept_url: expect.stringMatching(/\/console#invite=rcpt_invite_[\w-]{43}$/),
      });
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(3 * DAY_MS);
      expect(made.accept_url).toContain(made.token);
      const stored = JSON.stringify([
        await rowsOf(app, `SELECT *, encode(token_digest, 'escape') AS raw FROM invites`),
        await rowsOf(app, 'SELECT * FROM outgoing_mails'),
        await rowsOf(app, 'SELECT * FROM outbox'),
        await rowsOf(app, 'SELECT * FROM audit_log'),
        (await list()).data,
        app.logged(),
      ]);
      expect(stored).not.toContain(made.token.slice(12));
      const shown: Partial<NewInviteResponse> = { ...made };
      delete shown.token;
      delete shown.accept_url;
      expect((await list()).data).toEqual([shown]);
    });

    it('invites a member for a week by default', async () => {
      const made = await invite();
      expect(made.role).toBe('member');
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * DAY_MS);
    });

    it('requires an admin; a key without a user is 401 first', async () => {
      const [admin, member] = [await joinTeam(app, owner, 'admin'), await joinTeam(app, owner)];
      await invite({ email: someone(), role: 'admin' }, admin.key);
      expectProblem(await post({ email: someone() }, member.key), 403, 'role_required');
      const service = await aKeyOf(app, owner, null);
      expectProblem(await post({ nonsense: 1 }, service), 401, 'no_user');
      expectProblem(await accept('x', service), 401, 'no_user');
      expectProblem(await post({ email: someone() }, owner.testKey), 403, 'live_key_required');
      expectProblem(await post({ email: someone() }, 'rcpt_live_nonsense'), 401, 'invalid_credential');
    });

    it.each([
      [{}, ['/email invalid_type']],
      ...[
        '',
        'jane',
        'a@b@c',
        'a b@x.com',
        'a@x.com, b@x.com',
        'a,b@x.com',
        'J <j@x.com>',
        'a@x.com\r\nBcc: b@x.com',
        '"a"@x.com',
        'a\u202e@x.com',
        'a\u0000@x.com',
      ].map((email) => [{ email }, ['/email invalid_format']] as [object, string[]]),
      [{ email: `${'a'.repeat(250)}@x.com` }, ['/email too_big']],
      [{ email: 'a@x.com', role: 'owner' }, ['/role invalid_value']],
      [{ email: 'a@x.com', expires_in_days: 0 }, ['/expires_in_days too_small']],
      [{ email: 'a@x.com', expires_in_days: 31 }, ['/expires_in_days too_big']],
      [{ email: 'a@x.com', team_id: 'x' }, ['/team_id unknown_member']],
    ])('refuses %j', async (body, complaints) => {
      expect(fieldErrorsOf(expectProblem(await post(body), 400, 'invalid_request'))).toEqual(complaints);
      expect((await list()).data).toEqual([]);
    });

    it('does not invite a member, in any letter case', async () => {
      const refused = await post({ email: owner.user.email.toUpperCase() });
      answers.expect('POST', '/v1/team/invites', refused);
      expectProblem(refused, 409, 'already_member');
      await invite({ email: (await app.anAccount()).user.email });
    });

    it('does not invite the address that GET /v1/team shows for a member, also an unconfirmed one', async () => {
      const { token } = await invite();
      const email = someone();
      expect((await app.post('/signup').send({ email, invite_token: token })).status).toBe(201);
      const team = (await app.get('/v1/team', owner.liveKey)).body as { members: { email: string }[] };
      expect(team.members.map((member) => member.email)).toContain(email);
      expectProblem(await post({ email: email.toUpperCase() }), 409, 'already_member');
      expect((await post({ email }, (await app.anAccount()).liveKey)).status).toBe(201);
    });

    it('of a suspended team is 402, also at once after the suspension', async () => {
      await app.service.app.get(TeamsService).setBaseTier(owner.team.id, 'suspended');
      const refused = await post({ email: someone() });
      answers.expect('POST', '/v1/team/invites', refused);
      expect(expectProblem(refused, 402, 'upgrade_required')).toMatchObject({ tier: 'suspended' });
      expect((await list()).data).toEqual([]);
    });

    it('replaces a pending invite: the old token is invalid', async () => {
      const email = someone();
      const [first, second] = [await invite({ email }), await invite({ email: email.toUpperCase() })];
      expect(await statuses()).toEqual(['pending', 'revoked']);
      const guest = await app.anAccount();
      expectProblem(await accept(first.token, guest.liveKey), 404, 'invalid_invite');
      expect((await accept(second.token, guest.liveKey)).status).toBe(200);
    });

    it('20 concurrent requests for one address leave one pending invite and one valid token', async () => {
      const email = someone();
      const made = await Promise.all(Array.from({ length: 20 }, () => post({ email })));
      expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect((await list('?status=pending&limit=100')).data).toHaveLength(1);
      const guest = await app.anAccount();
      const used = [];
      for (const { body } of made)
        used.push((await accept((body as { token: string }).token, guest.liveKey)).status);
      expect(used.filter((status) => status === 200)).toHaveLength(1);
    });

    it('a team has at most 50 pending invites, also under concurrency; ended ones do not count', async () => {
      for (let n = 0; n < 40; n++) await invite();
      const made = await Promise.all(Array.from({ length: 15 }, () => post({ email: someone() })));
      const refused = made.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(5);
      for (const answer of refused) {
        expect(expectProblem(answer, 409, 'limit_reached')).toMatchObject({
          what: 'pending_invites',
          limit: 50,
        });
      }
      const [one, two] = (await list()).data as [InviteResponse, InviteResponse];
      await invite({ email: one.email });
      expect((await revoke(two.id)).status).toBe(204);
      await invite();
      app.clock.advance(7 * DAY_MS);
      await invite();
    });
  });

  describe('GET /v1/team/invites', () => {
    it('shows the status of each, and filters by it', async () => {
      const [accepted, revoked] = [await invite(), await invite()];
      const expired = await invite({ email: someone(), expires_in_days: 1 });
      const pending = await invite();
      await accept(accepted.token, (await app.anAccount()).liveKey);
      await revoke(revoked.id);
      app.clock.advance(DAY_MS);
      await invite({ email: expired.email });
      expect(await statuses()).toEqual(['pending', 'pending', 'expired', 'revoked', 'accepted']);
      for (const [status, { id }] of Object.entries({ accepted, revoked, expired, pending })) {
        const { data } = await list(`?status=${status}`);
        expect([status, data.at(-1)?.id, new Set(data.map((invite) => invite.status))]).toEqual([
          status,
          id,
          new Set([status]),
        ]);
      }
      expect((await list('?status=accepted')).data[0]?.accepted_at).toMatch(/Z$/);
    });

    it('is paginated; cursors are valid for this list, filter and team', async () => {
      for (let made = 0; made < 3; made++) await invite();
      const first = await list('?limit=2');
      const second = await list(`?limit=2&cursor=${first.next_cursor}`);
      expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
      expect([...first.data, ...second.data]).toEqual((await list()).data);
      for (const [query, key] of [
        [`&status=pending`, owner.liveKey],
        ['', (await app.anAccount()).liveKey],
      ] as const) {
        const answer = await app.get(`/v1/team/invites?cursor=${first.next_cursor}${query}`, key);
        expectProblem(answer, 400, 'invalid_cursor');
      }
      expectProblem(await app.get('/v1/team/invites?status=lost', owner.liveKey), 400, 'invalid_request');
    });

    it('requires an admin, and shows only the own team’s', async () => {
      await invite();
      expectProblem(
        await app.get('/v1/team/invites', (await joinTeam(app, owner)).key),
        403,
        'role_required',
      );
      expectProblem(await app.get('/v1/team/invites', await aKeyOf(app, owner, null)), 403, 'role_required');
      expect((await list('', (await app.anAccount()).liveKey)).data).toEqual([]);
      expect((await list('?status=pending', owner.testKey)).data).toHaveLength(1);
    });
  });

  describe('DELETE /v1/team/invites/{id}', () => {
    it('revokes a pending invite; for others, foreign and missing ones the response is the same', async () => {
      const made = await invite();
      const foreign = await invite({ email: someone() }, (await app.anAccount()).liveKey);
      expectProblem(await revoke(made.id, (await joinTeam(app, owner)).key), 403, 'role_required');
      const answer = await revoke(made.id);
      expect([answer.status, answer.text]).toEqual([204, '']);
      const bodies = [];
      for (const id of [made.id, foreign.id, 'inv_01jd000000000000000000000v', 'nonsense', '%00']) {
        const refused = await revoke(id);
        answers.expect('DELETE', '/v1/team/invites/{id}', refused);
        bodies.push({ ...expectProblem(refused, 404, 'not_found'), instance: null, request_id: null });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect((await accept(foreign.token, owner.liveKey)).status).toBe(200);
    });
  });
});
