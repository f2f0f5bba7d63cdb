import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { expectProblem } from '../../support/http/problems.js';
import { aPublishableKey, PAGE, Visitor } from '../../support/app/publishable.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const KNOWN = 'ghost@plain.mailworld';

let world: MailWorld;
let app: TestApp;
let account: NewAccount;
let answers: ResponseValidator;
beforeAll(async () => {
  world = await MailWorld.start();
  app = await anApp({ ...world.env, TRUST_PROXY: '1' });
  account = await app.anAccount();
  answers = await ResponseValidator.published(app);
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

let clients = 0;
const aClient = () => `198.51.100.${(clients += 1)}`;
const aKey = (more: object = {}, by = account.liveKey) => aPublishableKey(app, by, { ...more });
const sql = (statement: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query<Record<string, unknown>[]>(statement, values);
const reasonOf = ({ body }: { body: unknown }) => (body as { reason?: string; code?: string }).reason;

describe('the limits of a publishable key', () => {
  it('are those of each client: a network of IPv6 is one', async () => {
    // The minutes are those of the database: this begins while one lasts for another four seconds.
    await sql(`SELECT pg_sleep(CASE WHEN second > 56 THEN 60 - second ELSE 0 END)
                 FROM (SELECT extract(second FROM now())::float8 AS second) AS clock`);
    // The headers have the limits of the client, not those of the tier.
    const { liveKey } = await app.anAccount('growth');
    const { key } = await aKey({ per_address: { per_minute: 2, per_day: 3 } }, liveKey);
    const from = (address: string) => new Visitor(app, key, address);
    const [one, same, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map(from);
    const first = await one!.verify(KNOWN);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"burst";q=2;w=60, "daily";q=3;w=86400',
      ratelimit: expect.stringMatching(/^"burst";r=1;t=\d+, "daily";r=2;t=\d+$/),
    });
    expect((await same!.verify(KNOWN)).status).toBe(200);
    const refused = await one!.verify(KNOWN);
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['access-control-allow-origin']).toBe(PAGE);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await other!.verify(KNOWN)).status).toBe(200);
    // The next minute, without the time that it takes.
    await sql(`UPDATE publishable_requests SET minute = minute - interval '1 minute'`);
    app.clock.advance(60_000);
    expect((await same!.verify(KNOWN)).status).toBe(200);
    expectProblem(await same!.verify(KNOWN), 429, 'rate_limited');
    await sql('UPDATE publishable_requests SET day = day - 1');
    app.clock.advance(86_400_000);
    expect((await same!.verify(KNOWN)).status).toBe(200);
  });

  it('are those of all clients in a day', async () => {
    const { key } = await aKey({ per_day: 3 });
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await new Visitor(app, key, aClient()).verify(KNOWN)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await new Visitor(app, key, aClient()).verify(KNOWN);
    const resets = new Date();
    expect(refused.headers.ratelimit).toMatch(/"daily";r=0;t=/);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400 - resets.getUTCHours() * 3_600);
  });

  it('hold for concurrent requests, and a refused client costs the team nothing', async () => {
    const { liveKey } = await app.anAccount('free');
    // What was used is not given back in time.
    app.clock.stop();
    const { id, key } = await aKey({ per_address: { per_minute: 4 } }, liveKey);
    const visitor = new Visitor(app, key, aClient());
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () => visitor.verify('jane@x.test').then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    const usage = await app.get('/v1/usage', liveKey);
    app.clock.resume();
    // Of ten requests; six were used by the client and by the owner.
    expect(Number(/"burst";r=(\d+)/.exec(usage.headers.ratelimit ?? '')?.[1])).toBeGreaterThanOrEqual(4);
    expect(usage.body).toMatchObject({ total: 4, keys: [{ key_id: id, total: 4 }] });
  });

  it('leave half of the rate to secret keys, and do not count what the rate refuses', async () => {
    const { liveKey } = await app.anAccount('free');
    const { id, key } = await aKey({}, liveKey);
    app.clock.stop();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => new Visitor(app, key, aClient()).verify('jane@x.test')),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(15);
    for (const answer of refused) {
      expectProblem(answer, 429, 'rate_limited');
      expect(answer.headers.ratelimit).toBe(`"burst";r=0;t=${answer.headers['retry-after']}`);
    }
    const [row] = await sql("SELECT in_day FROM publishable_requests WHERE key_id = $1 AND client = ''", [
      id,
    ]);
    expect(row).toEqual({ in_day: 5 });
    // Of ten at once, with the one that created the key.
    const programs = await Promise.all(
      Array.from({ length: 6 }, () => app.get('/v1/verify?email=jane@x.test', liveKey)),
    );
    expect(programs.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429]);
    app.clock.resume();
  });

  it('leave half of the daily quota to secret keys', async () => {
    const { liveKey } = await app.anAccount('free');
    const { key } = await aKey({}, liveKey);
    const verify = async () => {
      app.clock.advance(1_000);
      return new Visitor(app, key, aClient()).verify('jane@x.test');
    };
    for (let n = 0; n < 50; n++) expect((await verify()).status).toBe(200);
    expect(expectProblem(await verify(), 429, 'daily_quota_exceeded').detail).toMatch(/their half/);
    expect((await app.get('/v1/verify?email=jane@x.test', liveKey)).status).toBe(200);
  });

  it('leave the errors of the team readable for the page', async () => {
    const { liveKey } = await app.anAccount('suspended');
    const { key } = await aKey({}, liveKey);
    const answer = await new Visitor(app, key, aClient()).verify(KNOWN);
    expectProblem(answer, 402, 'upgrade_required');
    expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
  });

  it('come after the rules of the key: refresh is 403 also where the tier does not include it', async () => {
    const { liveKey } = await app.anAccount('free');
    const { key } = await aKey({}, liveKey);
    const visitor = new Visitor(app, key, aClient());
    expectProblem(await visitor.verify(KNOWN, '&refresh=1'), 403, 'secret_key_required');
    expectProblem(await visitor.post({ email: KNOWN, refresh: true }), 403, 'secret_key_required');
  });

  it('store neither network addresses nor domains', async () => {
    const text = JSON.stringify(
      await sql('SELECT * FROM publishable_requests, publishable_addresses LIMIT 500'),
    );
    expect(text).not.toMatch(/198\.51\.100|mailworld/);
  });
});

describe('a script that guesses mailboxes', () => {
  const guess = async (visitors: Visitor[], domain: string, guesses: number) => {
    let answered = 0;
    for (let n = 0; n < guesses; n++) {
      const answer = await visitors[n % visitors.length]!.verify(`guess${n}@${domain}`);
      if (answer.status === 200 && reasonOf(answer) !== 'rate_limited') answered += 1;
    }
    return answered;
  };
  const many = { per_address: { per_minute: 1_000, per_day: 10_000 } };

  it('gets ten answers about a domain from one address, and twenty from many', async () => {
    const { key } = await aKey(many);
    const probed = () => world.server('plain.mailworld').commandsOf('RCPT').length;
    const before = probed();
    expect(await guess([new Visitor(app, key, aClient())], 'plain.mailworld', 25)).toBe(10);
    const others = Array.from({ length: 30 }, () => new Visitor(app, key, aClient()));
    expect(await guess(others, 'plain.mailworld', 60)).toBe(20);
    // The random address that tests for catch-all, and refusals are not asked.
    expect(probed() - before).toBeLessThanOrEqual(21);
  });

  it('then gets unknown / rate_limited, which is free and counted', async () => {
    const { liveKey } = await app.anAccount('growth');
    const { id, key } = await aKey(many, liveKey);
    const visitor = new Visitor(app, key, aClient());
    await guess([visitor], 'x.test', 12);
    const answer = await visitor.verify('another@x.test');
    answers.expect('GET', '/v1/verify', answer);
    expect(answer.body).toEqual({
      email: 'another@x.test',
      status: 'unknown',
      reason: 'rate_limited',
      did_you_mean: null,
      policy: { decision: 'review' },
      proof: expect.stringMatching(/^ey/),
    });
    // An address that was answered is answered again.
    expect(reasonOf(await visitor.verify('GUESS0@X.TEST'))).toBe('invalid_domain');
    const usage = await app.get('/v1/usage', liveKey);
    answers.expect('GET', '/v1/usage', usage);
    const { quota, keys } = usage.body as { quota: object; keys: object[] };
    expect(quota).toMatchObject({ used: 11 });
    expect(keys).toEqual([
      expect.objectContaining({ key_id: id, single: 14, free: 3, rate_limited: 3, total: 14 }),
    ]);
    const history = (await app.get('/v1/usage/history?days=1', liveKey)).body as { data: object[] };
    expect(history.data).toMatchObject([{ total: 0 }]);
    const ofTeam = (await app.get('/v1/team/history?days=1', liveKey)).body as { data: object[] };
    expect(ofTeam.data).toMatchObject([{ total: 14, free: 3 }]);
    const metrics = (await app.get('/metrics')).text;
    expect(metrics).toMatch(/rcpt_verdicts_total\{status="unknown",reason="rate_limited"\} \d/);
    expect(metrics).toMatch(/rcpt_publishable_rejections_total\{why="key_day"\} \d/);
  });

  it('gets twenty answers about a mailbox provider, whose other visitors are not limited', async () => {
    const { key } = await aKey({ ...many, mode: 'live' });
    expect(await guess([new Visitor(app, key, aClient())], 'gmail.com', 24)).toBe(20);
    const others = Array.from({ length: 30 }, () => new Visitor(app, key, aClient()));
    expect(await guess(others, 'gmail.com', 30)).toBe(30);
  });

  it('still gets the verdict of a disposable domain, which says nothing about a mailbox', async () => {
    const { key } = await aKey(many);
    expect(await guess([new Visitor(app, key, aClient())], 'mailinator.com', 15)).toBe(15);
  });

  it('gets answers again after a day', async () => {
    const { key } = await aKey(many);
    const visitor = new Visitor(app, key, aClient());
    expect(await guess([visitor], 'y.test', 12)).toBe(10);
    await sql(`UPDATE publishable_addresses SET requested_at = requested_at - interval '1 day'`);
    expect(reasonOf(await visitor.verify('new@y.test'))).toBe('invalid_domain');
  });
});
