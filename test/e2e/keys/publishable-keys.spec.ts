import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { expectProblem, fieldErrorsOf } from '../../support/http/problems.js';
import { aPublishableKey, PAGE, Visitor } from '../../support/app/publishable.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { routesOf } from '../../support/openapi/routes.js';

const EXPOSED = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
const KNOWN = 'ghost@plain.mailworld';

let world: MailWorld;
let app: TestApp;
let team: TestTeam;
let answers: ResponseValidator;
beforeAll(async () => {
  world = await MailWorld.start();
  app = await anApp({ ...world.env, TRUST_PROXY: '1' });
  team = await aTeam(app);
  answers = await ResponseValidator.published(app);
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

let clients = 0;
const aClient = () => `198.51.100.${(clients += 1)}`;
const aKey = (more: object = {}, by = team.member) => aPublishableKey(app, by, { ...more });
const aVisitor = async (more: object = {}) => new Visitor(app, (await aKey(more)).key, aClient());
const sql = (statement: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, values);

describe('POST /v1/keys with kind publishable', () => {
  const create = (body: object, by = team.member) =>
    app.post('/v1/keys', by).send({ name: 'form', kind: 'publishable', ...body });

  it('creates a key with normalised origins and the default limits, and always shows it with its text', async () => {
    const allowed_origins = [
      'https://Shop.Example/',
      'https://bücher.example:443',
      'https://shop.example',
      'http://localhost:3000',
    ];
    const answer = await create({ allowed_origins });
    answers.expect('POST', '/v1/keys', answer);
    const shown = answer.body as { id: string; key: string };
    expect(shown.key).toMatch(/^rcpt_pub_[0-9A-Za-z]{38}$/);
    expect(shown).toMatchObject({
      kind: 'publishable',
      prefix: 'rcpt_pub_',
      mode: 'live',
      allowed_origins: ['https://shop.example', 'https://xn--bcher-kva.example', 'http://localhost:3000'],
      per_address: { per_minute: 10, per_day: 100 },
      per_day: 1_000,
    });
    const found = await app.get(`/v1/keys/${shown.id}`, team.owner);
    answers.expect('GET', '/v1/keys/{id}', found);
    expect(found.body).toEqual({ ...shown, last_used_at: null });
    const listed = await app.get('/v1/keys?limit=100', team.admin);
    answers.expect('GET', '/v1/keys', listed);
    const { data } = listed.body as { data: { id: string; kind: string; key: string | null }[] };
    expect(data.find(({ id }) => id === shown.id)).toEqual({ ...shown, last_used_at: null });
    const secret = data.filter(({ kind }) => kind === 'secret');
    expect(secret.length).toBeGreaterThan(0);
    expect(secret.every(({ key }) => key === null)).toBe(true);
  });

  it('stores no text of a secret key: the database refuses it', async () => {
    const store = () => sql("UPDATE api_keys SET publishable_key = 'rcpt_live_x' WHERE publishable IS NULL");
    await expect(store()).rejects.toThrow(/api_keys.*check/);
  });

  it('takes limits, and keeps all of it when the key is rotated', async () => {
    const limits = { per_address: { per_minute: 3 }, per_day: 50 };
    const { id } = (await create({ allowed_origins: [PAGE], ...limits })).body as { id: string };
    const rotated = await app.post(`/v1/keys/${id}/rotate`, team.member).send({});
    expect(rotated.body).toMatchObject({
      kind: 'publishable',
      key: expect.stringMatching(/^rcpt_pub_/),
      allowed_origins: [PAGE],
      per_address: { per_minute: 3, per_day: 100 },
      per_day: 50,
    });
  });

  it('shows a secret key without origins and limits', async () => {
    const answer = await app.post('/v1/keys', team.member).send({ name: 'secret', kind: 'secret' });
    const none = { kind: 'secret', allowed_origins: null, per_address: null, per_day: null };
    expect(answer.body).toMatchObject({ ...none, prefix: 'rcpt_live_' });
  });

  it('is for every user; one without a user for admins only', async () => {
    const origins = { allowed_origins: [PAGE] };
    expectProblem(await create({ ...origins, service: true }), 403, 'role_required');
    expect((await create({ ...origins, service: true }, team.admin)).body).toMatchObject({ user_id: null });
    expectProblem(await create(origins, team.service), 401, 'no_user');
  });

  it.each<[object, string]>([
    [{}, '/allowed_origins invalid_type'],
    [{ allowed_origins: [] }, '/allowed_origins too_small'],
    [{ allowed_origins: PAGE }, '/allowed_origins invalid_type'],
    [{ allowed_origins: null }, '/allowed_origins invalid_type'],
    [
      { allowed_origins: Array.from({ length: 21 }, (_, n) => `https://p${n}.example`) },
      '/allowed_origins too_big',
    ],
    [{ allowed_origins: [PAGE, 'https://*.shop.example'] }, '/allowed_origins/1 invalid_format'],
    [{ allowed_origins: ['http://shop.example'] }, '/allowed_origins/0 invalid_format'],
    [{ allowed_origins: ['https://shop.example/signup'] }, '/allowed_origins/0 invalid_format'],
    [{ allowed_origins: [7] }, '/allowed_origins/0 invalid_format'],
    [{ allowed_origins: [PAGE], per_address: { per_minute: 0 } }, '/per_address/per_minute too_small'],
    [{ allowed_origins: [PAGE], per_address: { per_hour: 9 } }, '/per_address/per_hour unknown_member'],
    [{ allowed_origins: [PAGE], per_address: 9 }, '/per_address invalid_type'],
    [{ allowed_origins: [PAGE], per_day: 1_000_001 }, '/per_day too_big'],
    [{ kind: 'public', allowed_origins: [PAGE] }, '/kind invalid_value'],
    [{ kind: 'secret', allowed_origins: [PAGE] }, '/allowed_origins invalid_value'],
    [{ kind: 'secret', per_day: 5 }, '/per_day invalid_value'],
  ])('%j is 400: %s', async (body, complaint) => {
    expect(fieldErrorsOf(expectProblem(await create(body), 400, 'invalid_request'))).toContain(complaint);
  });
});

describe('a publishable key', () => {
  it('gets a verdict without evidence, by GET and by POST', async () => {
    const visitor = await aVisitor();
    const verdict = {
      email: KNOWN,
      status: 'undeliverable',
      reason: 'mailbox_not_found',
      did_you_mean: null,
      policy: { decision: 'reject' },
      proof: expect.stringMatching(/^(?:[\w-]+\.){2}[\w-]{86}$/),
    };
    const got = await visitor.verify(KNOWN);
    answers.expect('GET', '/v1/verify', got);
    expect([got.status, got.body]).toEqual([200, verdict]);
    const posted = await visitor.post({ email: KNOWN });
    answers.expect('POST', '/v1/verify', posted);
    expect([posted.status, posted.body]).toEqual([200, verdict]);
  });

  it('of the mode test uses no network', async () => {
    const visitor = await aVisitor({ mode: 'test' });
    expect((await visitor.verify('catch_all@plain.mailworld')).body).toMatchObject({ reason: 'catch_all' });
    expect((await visitor.post({ email: 'jane@x.test' })).body).toMatchObject({ status: 'deliverable' });
  });

  it('is 403 secret_key_required on every other route, for refresh and for several addresses', async () => {
    const visitor = new Visitor(app, (await aKey({}, team.owner)).key, aClient());
    const others = routesOf(app).filter(({ path, policy }) => path !== '/v1/verify' && !policy.public);
    expect(others.length).toBeGreaterThan(40);
    for (const { method, path, policy } of others) {
      const to = path.replaceAll(/:\w+/g, 'some-id');
      const headers = { Authorization: `Bearer ${await ownerKey()}`, Origin: PAGE };
      const answer = await fetch(app.url + to, { method, headers });
      const { code, error } = (await answer.json()) as { code?: string; error?: string };
      const allowed = answer.headers.get('access-control-allow-origin');
      const isRefused = policy.plainErrors
        ? error?.startsWith('A publishable key can only verify')
        : code === 'secret_key_required';
      expect([method, path, answer.status, isRefused, allowed]).toEqual([
        method,
        path,
        403,
        true,
        policy.anyOrigin ? '*' : null,
      ]);
      expect(answer.headers.get('ratelimit-policy')).toContain('"burst"');
    }
    expectProblem(await visitor.verify(KNOWN, '&refresh=true'), 403, 'secret_key_required');
    expectProblem(await visitor.post({ email: KNOWN, refresh: true }), 403, 'secret_key_required');
    expectProblem(await visitor.post({ emails: [KNOWN] }), 403, 'secret_key_required');
  });

  let owners = '';
  const ownerKey = async () => (owners ||= (await aKey({}, team.owner)).key);

  it('neither replays nor stores responses of an Idempotency-Key', async () => {
    const body = { email: KNOWN };
    const secret = await app.post('/v1/verify', team.owner).set('Idempotency-Key', 'one').send(body);
    expect(secret.body).toHaveProperty('smtp');
    const visitor = await aVisitor();
    const answer = await visitor.post(body).set('Idempotency-Key', 'one');
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect(answer.body).not.toHaveProperty('smtp');
    await visitor.post(body).set('Idempotency-Key', 'two');
    const stored = 'SELECT FROM idempotency_keys WHERE team_id = $1';
    expect(await sql(stored, [team.id])).toHaveLength(1);
  });

  it('leaves half of the team’s probes in flight to its programs', async () => {
    const { liveKey } = await app.anAccount('free');
    const { key } = await aKey({ per_address: { per_minute: 100 } }, liveKey);
    const slow = Array.from({ length: 7 }, (_, n) => {
      const visitor = new Visitor(app, key, aClient());
      return visitor.verify(`jane${n}@silent.mailworld`, '&timeout=2').then(({ status }) => status);
    });
    // The tier allows ten.
    expect((await Promise.all(slow)).filter((status) => status === 429).length).toBe(2);
  });

  it('is 401 for scripts of every origin once it is revoked', async () => {
    const { id, key } = await aKey();
    const visitor = new Visitor(app, key, aClient());
    expect((await visitor.verify(KNOWN)).status).toBe(200);
    await app.delete(`/v1/keys/${id}`, team.member);
    const refused = await visitor.verify(KNOWN);
    expectProblem(refused, 401, 'invalid_credential');
    expect(refused.headers['access-control-allow-origin']).toBe(PAGE);
  });
});

describe('the origin of a page', () => {
  const preflight = (path: string, origin: string, method = 'GET') =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
      },
    });

  it('may read the response and its headers if the key has it', async () => {
    const visitor = await aVisitor();
    for (const answer of [await visitor.verify(KNOWN), await visitor.verify('')]) {
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': EXPOSED,
        'cache-control': 'no-store',
        vary: expect.stringMatching(/\bOrigin\b/),
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expectProblem(await visitor.verify(''), 400, 'invalid_request');
  });

  it.each([
    ['none', null],
    ['another one', 'https://evil.example'],
    ['another scheme', 'http://www.shop.example'],
    ['another port', 'https://www.shop.example:8443'],
    ['a subdomain', 'https://a.www.shop.example'],
    ['a longer name', 'https://www.shop.example.evil.example'],
    ['an opaque one', 'null'],
    ['two', `${PAGE}, https://evil.example`],
  ])('%s is 403 origin_not_allowed, which no page can read', async (_, origin) => {
    const key = await aKey();
    const before = await sql('SELECT FROM publishable_requests');
    const answer = await new Visitor(app, key.key, aClient(), origin).verify(KNOWN);
    expectProblem(answer, 403, 'origin_not_allowed');
    expect(answer.headers['ratelimit-policy']).toContain('"burst"');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers.vary).toMatch(/\bOrigin\b/);
    // Refused before anything is counted.
    expect(await sql('SELECT FROM publishable_requests')).toHaveLength(before.length);
  });

  it('gets the same preflight response whether a key allows it or not', async () => {
    await aKey();
    for (const origin of [PAGE, 'https://unknown.example']) {
      for (const path of ['/v1/verify', '/v1/verify/', '/v1/verify?email=jane@example.com']) {
        const answer = await preflight(path, origin, 'POST');
        expect([answer.status, await answer.text()]).toEqual([204, '']);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'Authorization, Content-Type',
          'access-control-max-age': '86400',
          vary: expect.stringMatching(/\bOrigin\b/),
        });
      }
    }
    expect((await preflight('/v1/verify', 'null')).headers.has('access-control-allow-origin')).toBe(false);
  });

  it('gets no preflight response on another route, and secret keys allow no origin', async () => {
    for (const path of ['/v1/verify/bulk', '/v1/keys', '/v1/verifyx', '/livez', '/nowhere']) {
      const answer = await preflight(path, PAGE);
      expect([path, answer.ok]).toEqual([path, false]);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const secret = await app.get(`/v1/verify?email=${KNOWN}`, team.member).set('Origin', PAGE);
    expect([secret.status, secret.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });
});
