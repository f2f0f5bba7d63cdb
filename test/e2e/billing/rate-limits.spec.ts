import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseList } from 'structured-headers';
import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/identity/api-keys/api-keys.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { REQUEST_READS, statementsDuring } from '../../support/database/statements.js';
import { expectProblem } from '../../support/http/problems.js';

/** A verdict without network access, which costs one unit under a live key. */
const NO_ADDRESS = '/v1/verify?email=no-address';
const DAY_SECONDS = 86_400;

type Limits = Record<string, Record<string, number>>;

/** Parses a rate field as a structured list (RFC 9651): name → parameters. */
function field(answer: Response, name: 'ratelimit' | 'ratelimit-policy'): Limits {
  const value = answer.headers[name];
  expect(value).toEqual(expect.any(String));
  return Object.fromEntries(
    parseList(value as string).map(([item, parameters]) => [item, Object.fromEntries(parameters)]),
  ) as Limits;
}
const policy = (answer: Response) => field(answer, 'ratelimit-policy');
const limits = (answer: Response) => field(answer, 'ratelimit');

function expectNoFields(answer: Response): void {
  expect(Object.keys(answer.headers).filter((name) => /ratelimit/i.test(name))).toEqual([]);
}

let app: TestApp;
let free: NewAccount;
/** The monotonic clock is stopped, so that a slow machine refills no bucket; tests advance it. */
let standsAtMs: number;

beforeAll(async () => {
  app = await anApp();
  standsAtMs = app.clock.monotonicMs();
  app.clock.monotonicMs = () => standsAtMs;
});
beforeEach(async () => {
  free = await app.anAccount('free');
});
afterAll(() => app.stop());

const sql = (statement: string, parameters: unknown[] = []) =>
  app.service.app.get(DataSource).query(statement, parameters);
const atOnce = (calls: number, key: string) =>
  Promise.all(Array.from({ length: calls }, () => app.get(NO_ADDRESS, key)));
const count = (answers: Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('a team above its rate', () => {
  it('gets exactly its burst, then 429, and one more after the refill time', async () => {
    const answers = await atOnce(25, free.liveKey);
    expect([count(answers, 200), count(answers, 429)]).toEqual([10, 15]);
    const refused = answers.find(({ status }) => status === 429) as Response;
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(limits(refused).burst).toEqual({ r: 0, t: 1 });
    standsAtMs += 500;
    expect(count(await atOnce(2, free.liveKey), 200)).toBe(1);
    standsAtMs += 5_000;
    expect(count(await atOnce(12, free.liveKey), 200)).toBe(10);
  });

  it('is not charged for refused calls', async () => {
    await atOnce(25, free.liveKey);
    standsAtMs += 5_000;
    expect(limits(await app.get(NO_ADDRESS, free.liveKey)).daily?.r).toBe(89);
  });

  it('shares one bucket between all its live keys, and another between its test keys', async () => {
    const { team, user, liveKey, testKey } = free;
    const owner = { teamId: team.id, userId: user.id };
    const issue = app.service.app.get(ApiKeysService);
    const { secret } = await issue.issue({ ...owner, name: 'second', mode: 'live' });
    const answers = (await Promise.all([atOnce(8, liveKey), atOnce(8, secret)])).flat();
    expect(count(answers, 200)).toBe(10);
    expect(count(await atOnce(12, testKey), 200)).toBe(10);
    standsAtMs += 500;
    expect(count(await atOnce(3, secret), 200)).toBe(1);
  });

  it('does not affect other teams', async () => {
    await atOnce(12, free.liveKey);
    const other = await app.anAccount('free');
    expect(count(await atOnce(10, other.liveKey), 200)).toBe(10);
  });

  it('is refused before its tier is checked: 429, not 402', async () => {
    const { liveKey } = await app.anAccount('suspended');
    const answers = await atOnce(8, liveKey);
    expect([count(answers, 402), count(answers, 429)]).toEqual([5, 3]);
  });

  it('is checked after its role, which takes nothing from the bucket', async () => {
    for (let n = 0; n < 12; n++) {
      const answer = await app.post('/v1/keys', free.testKey).send({ name: 'x' });
      expectProblem(answer, 403, 'live_key_required');
      expect(limits(answer)).toEqual({ burst: { r: 10, t: 0 } });
    }
  });
});

it('unauthenticated requests take from no bucket and get no rate fields', async () => {
  const revoked = await app.anAccount('free');
  await sql('UPDATE api_keys SET revoked_at = now() WHERE team_id = $1 AND mode = $2', [
    revoked.team.id,
    'live',
  ]);
  for (const key of [undefined, 'rcpt_live_nonsense', revoked.liveKey]) {
    for (let n = 0; n < 12; n++) {
      const answer = await app.get(NO_ADDRESS, key);
      expect(answer.status).toBe(401);
      expectNoFields(answer);
    }
  }
  const { secret } = await app.service.app.get(ApiKeysService).issue({
    teamId: revoked.team.id,
    userId: revoked.user.id,
    name: 'good',
    mode: 'live',
  });
  expect(limits(await app.get(NO_ADDRESS, secret)).burst).toEqual({ r: 9, t: 1 });
});

it('public routes are not counted and have no rate fields', async () => {
  for (let n = 0; n < 12; n++) {
    const answer = await app.get('/livez', free.liveKey);
    expect(answer.status).toBe(200);
    expectNoFields(answer);
  }
  expect(limits(await app.get(NO_ADDRESS, free.liveKey)).burst?.r).toBe(9);
});

describe('the rate fields', () => {
  it.each([
    ['suspended', { burst: { q: 5, w: 5 }, daily: { q: 0, w: DAY_SECONDS } }],
    ['free', { burst: { q: 10, w: 5 }, daily: { q: 100, w: DAY_SECONDS } }],
    ['starter', { burst: { q: 20, w: 2 }, daily: { q: 1_000, w: DAY_SECONDS } }],
    ['growth', { burst: { q: 50, w: 2 }, daily: { q: 10_000, w: DAY_SECONDS } }],
    ['scale', { burst: { q: 200, w: 2 }, daily: { q: 100_000, w: DAY_SECONDS } }],
  ])('contain the limits of the tier %s', async (tier, expected) => {
    const { liveKey } = await app.anAccount(tier);
    const answer = await app.get(NO_ADDRESS, liveKey);
    expect(policy(answer)).toEqual(expected);
    expect(Object.keys(limits(answer))).toEqual(['burst', 'daily']);
  });

  it('are omitted for a tier without limits', async () => {
    const { liveKey, testKey } = await app.anAccount('unlimited');
    for (const key of [liveKey, testKey]) expectNoFields(await app.get(NO_ADDRESS, key));
  });

  it('omit the daily quota for a test key', async () => {
    const answer = await app.get(NO_ADDRESS, free.testKey);
    expect(policy(answer)).toEqual({ burst: { q: 10, w: 5 } });
    expect(limits(answer)).toEqual({ burst: { r: 9, t: 1 } });
  });

  it('count down with every call, and contain the quota after the charge', async () => {
    const first = limits(await app.get(NO_ADDRESS, free.liveKey));
    expect([first.burst, first.daily?.r]).toEqual([{ r: 9, t: 1 }, 99]);
    const second = limits(await app.get(NO_ADDRESS, free.liveKey));
    expect([second.burst, second.daily?.r]).toEqual([{ r: 8, t: 1 }, 98]);
    const secondsLeft = second.daily?.t ?? -1;
    expect(secondsLeft).toBeGreaterThanOrEqual(0);
    expect(secondsLeft).toBeLessThanOrEqual(DAY_SECONDS);
  });

  it('are in every authenticated response, and errors do not change the quota', async () => {
    const { liveKey, testKey } = free;
    await sql('ALTER TABLE address_facts RENAME TO set_aside');
    const answers: Record<number, Response> = {
      200: await app.get(NO_ADDRESS, liveKey),
      400: await app.get('/v1/verify', liveKey),
      402: await app.get(`${NO_ADDRESS}&refresh=true`, liveKey),
      403: await app.post('/v1/keys', testKey).send({ name: 'x' }),
      404: await app.delete('/v1/keys/key_none', liveKey),
      413: await app.post('/v1/keys', liveKey).send({ name: 'x'.repeat(200_000) }),
      415: await app.post('/v1/keys', liveKey).type('text/plain').send('x'),
      500: await app.get('/v1/verify?email=jane@mail.invalid', liveKey),
    };
    await sql('ALTER TABLE set_aside RENAME TO address_facts');
    for (const [status, answer] of Object.entries(answers)) {
      expect(answer.status).toBe(Number(status));
      expect([status, policy(answer).burst]).toEqual([status, { q: 10, w: 5 }]);
      if (status !== '403') expect([status, limits(answer).daily?.r]).toEqual([status, 99]);
    }
  });

  it('are in responses without a body too', async () => {
    const answer = await app.delete('/v1/blocklist/none.example', free.liveKey);
    expect(answer.status).toBe(204);
    expect(limits(answer).burst).toEqual({ r: 9, t: 1 });
  });

  it('need no database query', async () => {
    let answer = await app.get(NO_ADDRESS, free.liveKey);
    const reads = await statementsDuring(app.service.app.get(DataSource), REQUEST_READS, async () => {
      answer = await app.get('/v1/verify', free.liveKey);
    });
    expect([answer.status, Object.keys(limits(answer)), reads]).toEqual([400, ['burst', 'daily'], []]);
  });
});
