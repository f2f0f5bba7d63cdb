import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoredPause } from '../../../src/platform/database/pause/stored-pause.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

describe('a paused service', () => {
  let app: TestApp;
  let keys: { liveKey: string; testKey: string };
  beforeAll(async () => {
    app = await anApp({ PAUSED: 'true' });
    keys = await app.anAccount();
  });
  afterAll(() => app.stop());

  it('says so in /readyz, which stays 200, in GET /v1/me and in its log', async () => {
    const answer = await app.get('/readyz');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'degraded',
      paused: true,
      checks: { work: 'degraded' },
      reasons: { work: expect.stringMatching(/^paused since \d{4}-.*`rcpt resume`/) },
    });
    expect((await app.get('/v1/me', keys.liveKey)).body).toMatchObject({ paused: true });
    expect(app.logged()).toContain('paused since');
  });

  it('verifies no single address with a live key, and simulates those of test keys', async () => {
    for (const [method, path, body] of [
      ['get', '/v1/verify?email=jane@example.com', {}],
      ['post', '/v1/verify', { email: 'jane@example.com' }],
      ['get', '/v1/domains/example.com', {}],
      [
        'post',
        '/v1/schedules/check',
        { name: 'Newsletter', every: 'day', source: { kind: 'url', url: 'https://example.com/list.csv' } },
      ],
    ] as const)
      expectProblem(await app.request(method, path, keys.liveKey).send(body), 503, 'paused');
    const simulated = await app.get('/v1/verify?email=jane@example.com', keys.testKey);
    expect(simulated.body).toMatchObject({ status: 'deliverable' });
  });

  it.each(['/v1/verify/bulk', '/v1/verify/bulk?hold=true'])('takes no list at %s', async (path) => {
    for (const key of [keys.liveKey, keys.testKey])
      expectProblem(await app.post(path, key).send({ emails: ['jane@example.com'] }), 503, 'paused');
  });

  it('starts no run of a schedule, which can be added', async () => {
    const source = { kind: 'url', url: 'https://example.com/list.csv' };
    const added = await app.post('/v1/schedules', keys.liveKey).send({ name: 'News', every: 'day', source });
    expect(added.status).toBe(201);
    const { id } = added.body as { id: string };
    expectProblem(await app.post(`/v1/schedules/${id}/run`, keys.liveKey), 503, 'paused');
  });

  it('says so to a client of Reacher too, in its form', async () => {
    for (const [path, body] of [
      ['/v0/check_email', { to_email: 'jane@example.com' }],
      ['/v1/bulk', { input: ['jane@example.com'] }],
    ] as const) {
      const refused = await app.post(path, keys.liveKey).send(body);
      expect([refused.status, refused.body]).toEqual([503, { error: expect.stringContaining('paused') }]);
    }
  });

  it('shows what is stored', async () => {
    for (const path of [
      '/v1/bulk-jobs',
      '/v1/webhooks',
      '/v1/schedules',
      '/v1/usage',
      '/v1/team',
      '/v1/keys',
    ])
      expect((await app.get(path, keys.liveKey)).status).toBe(200);
  });

  it('offers no sign-in by mail', async () => {
    expect((await app.get('/signin')).body).toMatchObject({ by_mail: false });
  });

  it('acts again after `rcpt resume`, which says whether it was paused', async () => {
    const resume = () => runRcpt(['resume'], app.shared);
    expect(await resume()).toMatchObject({ code: 0, out: expect.stringContaining('acts again') });
    expect(await resume()).toMatchObject({ code: 0, out: expect.stringContaining('was not paused') });
    await app.service.app.get(StoredPause).read();
    expect((await app.get('/readyz')).body).toMatchObject({ paused: false, checks: { work: 'ok' } });
    expect((await app.get('/v1/verify?email=jane@example', keys.liveKey)).status).toBe(200);
  });
});
