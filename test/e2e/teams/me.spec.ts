import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

interface Me {
  user: { id: string; email: string } | null;
  team: { id: string; role: string; tier: string; members: { user_id: string }[] };
  role: string;
  key: { mode: string; last4: string; service: boolean };
}

describe('GET /v1/me', () => {
  let app: TestApp;
  let team: TestTeam;
  let answers: ResponseValidator;
  beforeAll(async () => {
    app = await anApp();
    team = await aTeam(app, 'growth');
    answers = await ResponseValidator.published(app);
  });
  afterAll(() => app.stop());

  it.each(['owner', 'admin', 'member', 'service', 'test'] as const)(
    'returns user and team for a key of kind %s',
    async (standing) => {
      const key = team[standing];
      const answer = await app.get('/v1/me', key);
      expect(answer.status).toBe(200);
      answers.expect('GET', '/v1/me', answer);
      const me = answer.body as Me;
      const role = standing === 'test' ? 'owner' : standing === 'service' ? 'member' : standing;
      expect(me).toMatchObject({ role, team: { id: team.id, role, tier: 'growth' } });
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
    const free = await app.anAccount('free');
    const growth = { features: ['verify', 'refresh', 'bulk'], bulk_limit: 10_000 };
    expect((await app.get('/v1/me', team.owner)).body).toMatchObject(growth);
    expect((await app.get('/v1/me', free.liveKey)).body).toMatchObject({
      features: ['verify'],
      bulk_limit: 0,
    });
    expect((await app.get('/v1/me', free.testKey)).body).toMatchObject(growth);
  });

  it('accepts no parameters', async () => {
    const problem = expectProblem(await app.get('/v1/me?expand=team', team.owner), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/expand unknown_member']);
  });

  it('is 401 without a key', async () => {
    expectProblem(await app.get('/v1/me'), 401, 'missing_credential');
  });
});
