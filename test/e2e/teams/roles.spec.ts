import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

let app: TestApp;
let team: TestTeam;
beforeAll(async () => {
  app = await anApp();
  team = await aTeam(app);
});
afterAll(() => app.stop());

interface Me {
  user: { id: string; email: string } | null;
  team: { id: string; role: string; tier: string; members: { user_id: string }[] };
  role: string;
  key: { mode: string; last4: string; service: boolean };
}

describe('GET /v1/me', () => {
  let answers: ResponseValidator;
  beforeAll(async () => {
    answers = await ResponseValidator.published(app);
  });

  it.each(['owner', 'admin', 'member', 'service', 'test'] as const)(
    'returns user and team for a key of kind %s',
    async (standing) => {
      const key = team[standing];
      const answer = await app.get('/v1/me', key);
      expect(answer.status).toBe(200);
      answers.expect('GET', '/v1/me', answer);
      const me = answer.body as Me;
      const role = standing === 'test' ? 'owner' : standing === 'service' ? 'member' : standing;
      expect(me).toMatchObject({ role, team: { id: team.id, role, tier: 'unlimited' } });
      expect(me.key).toMatchObject({ last4: key.slice(-4), service: standing === 'service' });
      expect(me.key.mode).toBe(standing === 'test' ? 'test' : 'live');
      expect(me.user === null).toBe(standing === 'service');
      const memberIds = me.team.members.map(({ user_id }) => user_id);
      if (me.user !== null) expect(memberIds).toContain(me.user.id);
      expect(memberIds).toHaveLength(3);
      expect(answer.text).not.toContain(key);
    },
  );

  it('says what the tier includes, and that a test key has all', async () => {
    const [free, growth] = [await app.anAccount('free'), await app.anAccount('growth')];
    const included = { features: ['verify', 'refresh', 'bulk', 'schedules', 'domains'], bulk_limit: 10_000 };
    expect((await app.get('/v1/me', growth.liveKey)).body).toMatchObject(included);
    expect((await app.get('/v1/me', free.liveKey)).body).toMatchObject({
      features: ['verify', 'domains'],
      bulk_limit: 0,
    });
    expect((await app.get('/v1/me', free.testKey)).body).toMatchObject(included);
  });

  it('accepts no parameters', async () => {
    const problem = expectProblem(await app.get('/v1/me?expand=team', team.owner), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/expand unknown_member']);
  });

  it('is 401 without a key', async () => {
    expectProblem(await app.get('/v1/me'), 401, 'missing_credential');
  });
});

/** The roles allowed for each route; others get 403, and a key without a user 401 where a user is needed. */
const MATRIX = `
get    /v1/verify                      owner admin member service test
get    /v1/keys                        owner admin member service test
get    /v1/team                        owner admin member service test
get    /v1/usage                       owner admin member service test
get    /v1/usage/history               owner admin member service test
get    /v1/team/history                owner admin member service test
get    /v1/me                          owner admin member service test
get    /v1/blocklist                   owner admin member service test
post   /v1/blocklist                   owner admin member service
delete /v1/blocklist/none.example      owner admin member service
post   /v1/keys                        owner admin member
get    /v1/team/invites                owner admin test
post   /v1/team/invites                owner admin
delete /v1/team/invites/inv_none       owner admin
post   /v1/invites/accept              owner admin member
post   /v1/team/invites/accept         owner admin member
patch  /v1/team                        owner admin
patch  /v1/team/members/mem_none       owner
delete /v1/team/members/mem_none       owner admin
get    /v1/admin/disposable            owner test
get    /v1/admin/disposable/pending    owner test
post   /v1/admin/disposable            owner
delete /v1/admin/disposable/x.example  owner
delete /v1/team                        
`;

const STANDINGS = ['owner', 'admin', 'member', 'service', 'test'] as const;

describe('roles', () => {
  const rows = MATRIX.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([method = '', path = '', ...let_in]) => ({ method, path, allowed: let_in }));

  // The deletion by the owner is tested last, elsewhere.
  it.each(rows)('$method $path allows $allowed', async ({ method, path, allowed }) => {
    const through: string[] = [];
    for (const standing of STANDINGS) {
      if (path === '/v1/team' && method === 'delete' && standing === 'owner') continue;
      const answer = await app
        .request(method as 'get', path, team[standing])
        .send(method === 'get' ? undefined : {});
      const refused =
        answer.status === 403 ||
        (answer.status === 401 && (answer.body as { code: string }).code === 'no_user');
      if (!refused) through.push(standing);
      if (!refused) expect([200, 204, 400, 404]).toContain(answer.status);
    }
    expect(through).toEqual(allowed);
  });
});
