import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_SECONDS } from '../../../src/kernel/durations.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { routesOf } from '../../support/openapi/routes.js';
import { answerTo } from '../../support/app/reacher.js';
import { aPublishableKey } from '../../support/app/publishable.js';

let app: TestApp;
let account: NewAccount;
beforeAll(async () => {
  app = await anApp();
  account = await app.anAccount();
});
afterAll(() => app.stop());

/** With a key in a header of another product; there `Authorization` may have it without a scheme too. */
const WITH_OTHER_KEYS = [
  'GET /v1/bulk/:job_id',
  'GET /v1/bulk/:job_id/results',
  'POST /v0/check_email',
  'POST /v1/bulk',
  'POST /v1/check_email',
];

const ADDRESS = { to_email: 'jane@example.com' };
const ROUTES: [method: 'get' | 'post', path: string][] = [
  ['post', '/v0/check_email'],
  ['post', '/v1/check_email'],
  ['post', '/v1/bulk'],
  ['get', '/v1/bulk/1'],
  ['get', '/v1/bulk/1/results'],
];
const ERROR = { error: expect.stringMatching(/^[A-Z].*\.$/) };

describe('a key for the routes of Reacher', () => {
  const check = (headers: Record<string, string>) => app.post('/v0/check_email').set(headers).send(ADDRESS);

  it('may be sent after Bearer, alone, or as x-reacher-secret', async () => {
    const key = account.testKey;
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { Authorization: `bearer ${key} ` },
      { Authorization: key },
      { 'X-Reacher-Secret': key },
      // The client of Reacher sends this placeholder where it was given no key.
      { Authorization: 'test_api_token', 'X-Reacher-Secret': key },
    ] as Record<string, string>[])
      expect([headers, (await check(headers)).status]).toEqual([headers, 200]);
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an empty one', { Authorization: ' ' }],
    ['an unknown one', { Authorization: 'test_api_token' }],
    ['an unknown one in its own header', { 'X-Reacher-Secret': `rcpt_live_${'a'.repeat(40)}` }],
    ['another scheme', { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
    ['a scheme alone', { Authorization: 'Bearer' }],
  ])('that is %s gets 401 and a sentence', async (_, headers) => {
    const { status, body, headers: sent } = await answerTo(check(headers));
    expect([status, body]).toEqual([401, ERROR]);
    expect(sent['www-authenticate']).toMatch(/^Bearer/);
  });

  it('has no other form on the routes of Rcpt', async () => {
    const key = account.testKey;
    const verify = (headers: Record<string, string>) => app.get('/v1/me').set(headers);
    expect((await verify({ Authorization: `Bearer ${key}` })).status).toBe(200);
    for (const headers of [{ Authorization: key }, { 'X-Reacher-Secret': key }] as Record<string, string>[])
      expect(await verify(headers)).toMatchObject({
        status: 401,
        body: { code: expect.stringMatching(/_credential$/) },
      });
  });
});

describe('an error of the routes of Reacher', () => {
  it.each(ROUTES)('is a sentence for %s %s, whoever refuses', async (method, path) => {
    const suspended = await app.anAccount('suspended');
    const body = path.endsWith('bulk') ? { input: ['jane@example.com'] } : ADDRESS;
    const as = (key?: string) => {
      const request = app.request(method, path, key);
      return method === 'post' ? request.send(body) : request;
    };
    expect(await as()).toMatchObject({ status: 401, body: ERROR });
    const { key } = await aPublishableKey(app, account.liveKey);
    expect(await as(key)).toMatchObject({ status: 403, body: ERROR });
    expect(await as(suspended.liveKey)).toMatchObject({
      status: method === 'post' ? 402 : 404,
      body: ERROR,
    });
    const { status, body: refused, headers } = await answerTo(app.request('delete', path, account.liveKey));
    expect([status, refused]).toEqual([405, ERROR]);
    expect(headers.allow).toBe(method === 'get' ? 'GET, HEAD' : 'POST');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('says when the quota of the day and the rate are used up', async () => {
    const { liveKey } = await app.anAccount('free');
    const check = () => app.post('/v1/check_email', liveKey).send({ to_email: 'jane@nowhere.invalid' });
    const answers = await Promise.all(Array.from({ length: 12 }, check));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual(ERROR);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const left = 100 - answers.filter(({ status }) => status === 200).length;
    for (let n = 0; n < left; n++) {
      app.clock.advance(1_000);
      expect((await check()).status).toBe(200);
    }
    app.clock.advance(1_000);
    const { status, body, headers } = await answerTo(check());
    expect([status, body]).toEqual([429, { error: 'The daily quota is used up.' }]);
    // Until midnight UTC by the clock of the database, which the calls did not advance.
    const untilMidnight = DAY_SECONDS - ((app.clock.now().getTime() / 1_000) % DAY_SECONDS);
    expect(Math.abs(Number(headers['retry-after']) - untilMidnight)).toBeLessThan(150);
  });

  it('is a problem on other routes below the same prefix', async () => {
    for (const path of ['/v0/check_emails', '/v1/bulk/1/other'])
      expect(await app.get(path, account.liveKey)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
  });

  it('is listed among the failed requests of the team', async () => {
    const { liveKey } = await app.anAccount();
    await app.post('/v1/check_email', liveKey).send({});
    const { body } = await answerTo(app.get('/v1/failed_requests', liveKey));
    expect(body).toMatchObject({
      data: [{ route: '/v1/check_email', status: 400, code: 'invalid_request' }],
    });
  });
});

it('a key that is limited to lists may send one, and not verify', async () => {
  const { body } = await answerTo(
    app.post('/v1/keys', account.liveKey).send({ name: 'lists', scopes: ['lists'] }),
  );
  const { key } = body as { key: string };
  expect(await app.post('/v1/check_email', key).send(ADDRESS)).toMatchObject({ status: 403, body: ERROR });
  expect((await app.post('/v1/bulk', key).send({ input: ['jane@nowhere.invalid'] })).status).toBe(200);
});

it('routes that speak the protocol of Reacher take its header for keys, and no other does', () => {
  const found = routesOf(app).filter(({ policy }) => policy.keyHeader !== null || policy.plainErrors);
  expect(found.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(WITH_OTHER_KEYS);
});
