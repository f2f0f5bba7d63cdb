import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';

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
  let app: TestApp;
  let team: TestTeam;
  beforeAll(async () => {
    app = await anApp();
    team = await aTeam(app);
  });
  afterAll(() => app.stop());

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
