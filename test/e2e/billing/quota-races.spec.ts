import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { calling, mcpOverHttp } from '../../support/mcp/mcp-client.js';
import { PUBLIC_URL } from '../../support/oauth/assistant.js';
import { OAuthRequests } from '../../support/oauth/oauth-requests.js';

/** The quota of the tier `free`. */
const LIMIT = 100;
const PARALLEL = 40;

describe('the daily quota of a team', () => {
  let apps: TestApp[];
  let team: TestTeam;
  let tokens: string[];
  beforeAll(async () => {
    const first = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
    apps = [first, await anApp({ PUBLIC_URL, TRUST_PROXY: '1', ...first.shared })];
    team = await aTeam(first, 'free');
    const oauth = new OAuthRequests(first);
    const granted = [await oauth.connected(team.owner), await oauth.connected(team.member)];
    tokens = [...granted.map(({ tokens: { access_token } }) => access_token), team.owner, team.service];
  });
  afterAll(() => Promise.all(apps.map((app) => app.stop())));

  it('is exact when assistants with OAuth, members and programs use it up at once, in two processes', async () => {
    const used = async () => {
      const answer = await apps[0]!.get('/v1/usage', team.owner).expect(200);
      return (answer.body as { quota: { used: number } }).quota.used;
    };
    const before = await used();
    expect(before).toBe(0);
    // Calls of 5 addresses: a call that does not fit costs nothing.
    const emails = Array.from({ length: 5 }, (_, n) => `someone${n}@nowhere.invalid`);
    const call = (n: number) =>
      apps[n % 2]!.post('/v1/verify', tokens[n % tokens.length])
        .set('X-Forwarded-For', `198.51.100.${n}`)
        .send({ emails });
    const statuses: number[] = [];
    // The rate of a team is below this: who is told to wait asks again.
    while (statuses.filter((status) => status === 200).length < LIMIT / 5) {
      const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => call(n)));
      statuses.push(...answers.map(({ status }) => status));
      for (const app of apps) app.clock.advance(60_000);
      if (!statuses.includes(200)) break;
    }
    const last = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => call(n)));
    expect(last.map(({ status }) => status).filter((status) => status === 200)).toEqual([]);
    for (const app of apps) app.clock.advance(60_000);
    expect(await used()).toBe(LIMIT);
    const client = await mcpOverHttp(apps[0]!.url, tokens[0] ?? '');
    expect(await calling(client, 'get_usage')).toMatchObject({ quota: { used: LIMIT, remaining: 0 } });
    await client.close();
  });
});
