import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { Assistant, PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';

let app: TestApp;
let team: TestTeam;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL });
  team = await aTeam(app);
});
afterAll(() => app.stop());

describe('an assistant that only speaks OAuth', () => {
  it('finds the authorization server, registers, is allowed and calls a tool', async () => {
    const assistant = new Assistant(app);
    expect(await assistant.connect()).toBe('REDIRECT');
    const browser = new ConsentBrowser(app);
    const id = await browser.open(assistant.authorizationUrl);
    expect(await browser.shown(id)).toMatchObject({
      client: { name: 'Assistant', verified: false },
      redirect: { scheme: 'https', host: 'assistant.example' },
      scopes: ['verify', 'lists', 'usage'],
    });
    const answer = await browser.allow(id, team.member);
    expect(answer.href.startsWith(`${REDIRECT}?code=`)).toBe(true);
    expect(answer.searchParams.get('state')).toBe('a-state');
    expect(answer.searchParams.get('iss')).toBe(PUBLIC_URL);
    expect(await assistant.finish(answer)).toBe('AUTHORIZED');
    expect(assistant.saved).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'verify lists usage',
    });
    const list = await app
      .post('/mcp', assistant.saved?.access_token)
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(list.status).toBe(200);
  });
});
