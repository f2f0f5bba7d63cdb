import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';

const NUL = 'a\u0000b';

/** Every text member that is not an enumeration, with the other members of its route. */
const MEMBERS: [method: 'post' | 'patch', path: string, member: string, body: object][] = [
  ['post', '/v1/blocklist', 'domain', {}],
  ['post', '/v1/blocklist', 'reason', { domain: 'a.example' }],
  ['post', '/v1/admin/disposable', 'domain', { verdict: 'disposable' }],
  ['post', '/v1/admin/disposable', 'note', { domain: 'a.example', verdict: 'disposable' }],
  ['post', '/v1/keys', 'name', {}],
  ['post', '/v1/keys', 'expires_at', { name: 'k' }],
  ['post', '/v1/webhooks', 'url', {}],
  ['post', '/v1/webhooks', 'description', { url: 'https://receiver.example/' }],
  ['patch', '/v1/webhooks/{webhook}', 'url', {}],
  ['patch', '/v1/webhooks/{webhook}', 'description', {}],
  ['patch', '/v1/team', 'name', {}],
  ['post', '/v1/team/invites', 'email', {}],
  ['post', '/v1/billing/subscribe', 'tier', {}],
  ['post', '/v1/billing/subscribe', 'success_url', { tier: 'growth' }],
  ['post', '/v1/billing/subscribe', 'cancel_url', { tier: 'growth' }],
  ['post', '/v1/billing/portal', 'return_url', {}],
  ['post', '/signup', 'email', { team_name: 'T' }],
  ['post', '/signup', 'team_name', { email: 'jane@signup.example' }],
];

describe('NUL, which PostgreSQL cannot store', () => {
  let app: BillingApp;
  let team: TestTeam;
  let webhook: string;

  beforeAll(async () => {
    app = await aBillingApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '1000' });
    team = await aTeam(app);
    const made = await app.post('/v1/webhooks', team.owner).send({ url: 'https://receiver.example/' });
    webhook = (made.body as { id: string }).id;
  });
  afterAll(() => app.stop());

  const send = (method: 'post' | 'patch', path: string, body: object) =>
    app
      .request(method, path.replace('{webhook}', webhook), path.startsWith('/v1/') ? team.owner : undefined)
      .send(body);

  it.each(MEMBERS)('in %s %s is 400 at /%s', async (method, path, member, rest) => {
    const values = [NUL, '\u0000'];
    if (/url$/.test(member)) values.push(`https://localhost:3000/${NUL}`, `https://receiver.example/${NUL}`);
    if (/email$/.test(member)) values.push(`jane${NUL}@a.example`, 'jane@a.example\u0000');
    if (member === 'domain') values.push('a.example\u0000', `${NUL}.example`);
    for (const value of values) {
      const problem = expectProblem(
        await send(method, path, { ...rest, [member]: value }),
        400,
        'invalid_request',
      );
      expect(fieldErrorsOf(problem).map((text) => text.split(' ')[0])).toEqual([`/${member}`]);
    }
  });

  it.each([
    ['/v1/invites/accept', { token: NUL }],
    ['/v1/team/invites/accept', { token: NUL }],
    ['/signup', { email: 'jane@signup.example', invite_token: NUL }],
  ])('in a token at %s is an invalid token', async (path, body) => {
    expectProblem(await send('post', path, body), 404, 'invalid_invite');
  });

  it('in a member’s name is an unknown member', async () => {
    const problem = expectProblem(await send('patch', '/v1/team', { [NUL]: 1 }), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toContain(`/${NUL} unknown_member`);
  });

  it('in an event of the payment provider is an invalid event, or one without a customer', async () => {
    const { customer } = await app.aCustomer((await app.anAccount('free')).liveKey);
    const nobody = app.stripe.event('invoice.paid', { customer: `${customer}\u0000` });
    const unnamed = JSON.stringify({
      id: 'evt_\u0000',
      type: 'invoice.paid',
      data: { object: { customer } },
    });
    expect([
      await app.postEvent(nobody),
      await app.postEvent({ body: unnamed, signature: app.stripe.sign(unnamed) }),
    ]).toEqual([200, 400]);
  });

  it.each([
    ['text/csv', `email,x\njane@a.example,${NUL}\n`],
    ['application/x-ndjson', `${JSON.stringify({ email: `jane${NUL}@a.example`, ref: NUL })}\n`],
    ['application/json', JSON.stringify({ emails: [{ email: NUL, ref: NUL }] })],
  ])('in a list as %s is accepted as data', async (type, list) => {
    const answer = await app.post('/v1/verify/bulk', team.owner).type(type).send(list);
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  });

  it('in a query matches nothing', async () => {
    const get = async (path: string) => (await app.get(path, team.owner)).status;
    expect(await get('/v1/verify?email=a%00b@a.example')).toBe(200);
    expect(await get('/v1/keys?cursor=%00')).toBe(400);
    expect(await get('/v1/webhooks/%00')).toBe(404);
    expect((await app.post('/v1/verify/bulk?name=%00', team.owner).send({ emails: ['a'] })).status).toBe(400);
  });
});
