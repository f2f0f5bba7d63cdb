import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { newSecretKey } from '../../../src/modules/identity/api-keys/domain/secret-key.js';
import { ApiKeysService } from '../../../src/modules/identity/api-keys/api-keys.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { KEY_LOOKUP, statementsDuring } from '../../support/database/statements.js';
import { expectProblem } from '../../support/http/problems.js';

const VERIFY = '/v1/verify?email=jane@example.com';

let app: TestApp;
let good: NewAccount;
beforeAll(async () => {
  app = await anApp({ TRUST_PROXY: '1' });
  good = await app.anAccount();
});
afterAll(() => app.stop());

const dataSource = () => app.service.app.get(DataSource);
const withHeader = (value: string) => app.get(VERIFY).set('Authorization', value);

/** A key that was valid before the statement. */
async function aKeyAfter(statement: string, parameter: 'team' | 'user'): Promise<string> {
  const account = await app.anAccount();
  expect((await app.get(VERIFY, account.testKey)).status).toBe(200);
  await dataSource().query(statement, [account[parameter].id]);
  // Longer than a process caches a key.
  app.clock.advance(4_000);
  return account.testKey;
}

/** Counts the look-ups of keys during an action. */
const lookupsDuring = async (act: () => Promise<unknown>): Promise<number> =>
  (await statementsDuring(dataSource(), KEY_LOOKUP, act)).length;

describe('unknown keys of one client address', () => {
  // A slow machine needs more than ten seconds.
  beforeAll(() => app.clock.stop());
  afterAll(() => app.clock.resume());

  const from = (address: string, key = newSecretKey('rcpt_test_')) =>
    app.get(VERIFY, key).set('X-Forwarded-For', address);
  const guess = (address: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => from(address)));

  it('cost 100 queries in ten seconds; then the answer is 429 with Retry-After, without a query', async () => {
    app.clock.advance(10_000);
    expect((await from('192.0.2.1', good.testKey)).status).toBe(200);
    for (const answer of await guess('192.0.2.1', 100)) expectProblem(answer, 401, 'invalid_credential');
    const queries = await lookupsDuring(async () => {
      for (const answer of await guess('192.0.2.1', 50)) {
        expectProblem(answer, 429, 'rate_limited');
        const seconds = Number(answer.headers['retry-after']);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(10);
      }
    });
    expect(queries).toBe(0);
    // A valid key that is cached, also when its entry has expired, and clients of other addresses.
    app.clock.advance(4_000);
    expect((await from('192.0.2.1', good.testKey)).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(401);
    app.clock.advance(6_000);
    expect((await from('192.0.2.1', good.liveKey)).status).toBe(200);
  });

  it('count by the /64 of an IPv6 address', async () => {
    await guess('2001:db8::1', 100);
    expect((await from('2001:db8::2')).status).toBe(429);
    expect((await from('2001:db8:0:1::1')).status).toBe(401);
  });

  it('do not include valid ones', async () => {
    await guess('192.0.2.3', 99);
    for (let n = 0; n < 3; n++)
      expect((await from('192.0.2.3', (await app.anAccount()).testKey)).status).toBe(200);
  });
});

describe('no key', () => {
  it.each([undefined, '', '  '])('%j is 401 missing_credential', async (value) => {
    const answer = await (value === undefined ? app.get(VERIFY) : withHeader(value));
    expectProblem(answer, 401, 'missing_credential');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="rcpt"');
  });

  it('in the query is ignored, and not logged', async () => {
    const answer = await app.get(`${VERIFY}&api_key=${good.testKey}`);
    expectProblem(answer, 401, 'missing_credential');
    expect(app.logged()).not.toContain(good.testKey);
  });
});

describe('an invalid key', () => {
  const changed = (key: string) => key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');

  it('has the same response for every reason', async () => {
    const bad: Record<string, string> = {
      'another scheme': `Basic ${Buffer.from(good.testKey).toString('base64')}`,
      'no scheme': good.testKey,
      'a scheme alone': 'Bearer',
      'two keys': `Bearer ${good.testKey} ${good.testKey}`,
      'a list': `Bearer ${good.testKey},${good.testKey}`,
      nonsense: 'Bearer sk_live_1234',
      'a wrong checksum': `Bearer ${changed(good.testKey)}`,
      'a cut-off key': `Bearer ${good.testKey.slice(0, -1)}`,
      'the other mode': `Bearer ${good.testKey.replace('test', 'live')}`,
      unknown: `Bearer ${newSecretKey('rcpt_live_')}`,
      revoked: `Bearer ${await aKeyAfter('UPDATE api_keys SET revoked_at = now() WHERE team_id = $1', 'team')}`,
      expired: `Bearer ${await aKeyAfter('UPDATE api_keys SET expires_at = now() WHERE team_id = $1', 'team')}`,
      'no longer a member': `Bearer ${await aKeyAfter('DELETE FROM members WHERE user_id = $1', 'user')}`,
      'a user who is gone': `Bearer ${await aKeyAfter('DELETE FROM users WHERE id = $1', 'user')}`,
      'a team that is gone': `Bearer ${await aKeyAfter('DELETE FROM teams WHERE id = $1', 'team')}`,
    };
    const answers = new Set<string>();
    for (const [what, header] of Object.entries(bad)) {
      const answer = await withHeader(header).set('X-Request-Id', 'the-same');
      expect([what, answer.status]).toEqual([what, 401]);
      expectProblem(answer, 401, 'invalid_credential');
      const headers: Record<string, unknown> = { ...answer.headers };
      delete headers.date;
      answers.add(JSON.stringify([headers, answer.text]));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain(JSON.stringify('Bearer realm="rcpt", error="invalid_token"'));
  });

  it('with a wrong format or checksum is refused without a query', async () => {
    const refuse = (key: string) => async () =>
      expectProblem(await app.get(VERIFY, key), 401, 'invalid_credential');
    expect(await lookupsDuring(refuse(changed(good.testKey)))).toBe(0);
    expect(await lookupsDuring(refuse('rcpt_live_nonsense'))).toBe(0);
    expect(await lookupsDuring(refuse(newSecretKey('rcpt_live_')))).toBe(1);
  });

  it('is 401 before any parameter is validated', async () => {
    expectProblem(
      await app.get('/v1/verify?nonsense=1', newSecretKey('rcpt_live_')),
      401,
      'invalid_credential',
    );
    expectProblem(await app.get('/v1/verify'), 401, 'missing_credential');
  });

  it('is not logged', () => {
    expect(app.logged()).not.toMatch(/rcpt_(live|test)_/);
  });
});

describe('a valid key', () => {
  it.each(['Bearer ', 'bearer ', 'BEARER   '])('is accepted as %j', async (scheme) => {
    expect((await withHeader(scheme + good.testKey)).status).toBe(200);
  });

  it('is valid until the moment it expires', async () => {
    const { testKey, team } = await app.anAccount();
    await dataSource().query(
      "UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE team_id = $1",
      [team.id],
    );
    expect((await app.get(VERIFY, testKey)).status).toBe(200);
    app.clock.advance(3_600_000);
    expect((await app.get(VERIFY, testKey)).status).toBe(401);
  });

  it('without a user stays valid after its creator has left', async () => {
    const { user, team } = await app.anAccount();
    const keys = app.service.app.get(ApiKeysService, { strict: false });
    const { secret } = await keys.issue({ teamId: team.id, userId: null, name: 'service', mode: 'test' });
    await dataSource().query('DELETE FROM members WHERE user_id = $1', [user.id]);
    expect((await app.get(VERIFY, secret)).status).toBe(200);
  });

  it('is stored as a digest only', async () => {
    const rows = await dataSource().query<object[]>('SELECT k::text FROM api_keys k');
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toMatch(/rcpt_(live|test)_/);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(good.testKey).toString('hex'));
  });
});
