import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { aPublishableKey, Visitor, type PublishableKey } from '../../support/app/publishable.js';

const VISITORS = 200;
const MAX_CALLS = 100;
const WIDE = { per_address: { per_minute: 1_000, per_day: 1_000 }, per_day: 1_000 };

describe('while the counters of one team’s publishable keys are locked', () => {
  let app: TestApp;
  let greedy: NewAccount;
  let other: NewAccount;
  let keys: PublishableKey[];
  let page: PublishableKey;
  let lock: Client;
  /** Outside the transaction of the lock: in a transaction, pg_stat_activity does not show new connections. */
  let monitor: Client;
  let clients = 0;

  beforeAll(async () => {
    app = await anApp({ TRUST_PROXY: '1' });
    [greedy, other] = [await app.anAccount(), await app.anAccount()];
    page = await aPublishableKey(app, other.liveKey, { mode: 'test' });
    lock = new Client({ connectionString: app.shared.DATABASE_URL });
    monitor = new Client({ connectionString: app.shared.DATABASE_URL });
    await Promise.all([lock.connect(), monitor.connect()]);
  });
  afterAll(async () => {
    await Promise.all([lock.end(), monitor.end()]);
    await app.stop();
  });
  beforeEach(async () => {
    keys = [];
    for (let n = 0; n < 4; n++) keys.push(await aPublishableKey(app, greedy.liveKey, WIDE));
    for (const { key } of keys) expect((await visit(key)).status).toBe(200);
    await lock.query('BEGIN');
  });
  afterEach(() => lock.query('ROLLBACK'));

  /** A request of another client. `then` sends it. */
  const visit = (key: string) =>
    new Visitor(app, key, `198.18.${Math.floor(++clients / 250)}.${clients % 250}`)
      .verify('jane@x.test')
      .then((answer) => answer);
  const lockCounters = () =>
    lock.query(`SELECT FROM publishable_requests WHERE key_id = ANY ($1) AND client = '' FOR UPDATE`, [
      keys.map(({ id }) => id),
    ]);
  /** Statements that wait for the lock, of all connections of the pool. */
  const waiting = async () => {
    const { rows } = await monitor.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  };
  const stuck = async (count: number) => {
    while ((await waiting()) < count) await pause(10);
  };
  const storm = (of: readonly PublishableKey[], count: number) =>
    Array.from({ length: count }, (_, n) => visit(of[n % of.length]?.key ?? ''));
  const countOf = async (key: PublishableKey) => {
    const { rows } = await lock.query<{ n: number }>(
      `SELECT in_day AS n FROM publishable_requests WHERE key_id = $1 AND client = ''`,
      [key.id],
    );
    return rows[0]?.n;
  };
  const expectOthersAnswered = async (...others: Promise<{ status: number }>[]) => {
    const { liveKey } = await app.anAccount();
    const answers = await Promise.all([
      ...others,
      app.get('/v1/me', liveKey),
      app.get('/v1/verify?email=jane@example.com', other.testKey),
      app.get('/v1/verify?email=jane@example.com', greedy.testKey),
      app.get('/readyz'),
    ]);
    // A call that gets no connection is answered with 503.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  };

  it('200 visitors of one key hold one connection, and other teams’ calls are answered at once', async () => {
    const [key] = keys as [PublishableKey];
    await lockCounters();
    const refused: Awaited<ReturnType<typeof visit>>[] = [];
    const visits = storm([key], VISITORS).map(async (visited) => {
      const answer = await visited;
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    while (refused.length < VISITORS - MAX_CALLS) await pause(10);
    await stuck(1);
    await expectOthersAnswered(visit(page.key));
    expect(await waiting()).toBe(1);
    for (const answer of refused) expectProblem(answer, 429, 'rate_limited');
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"burst";q=1000;w=60, "daily";q=1000;w=86400',
    });
    await lock.query('ROLLBACK');
    const statuses = await Promise.all(visits);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_CALLS);
    // Those that were answered, and the one before.
    expect(await countOf(key)).toBe(MAX_CALLS + 1);
    const metrics = (await app.get('/metrics')).text;
    expect(metrics).toContain(`rcpt_publishable_rejections_total{why="in_progress"} ${VISITORS - MAX_CALLS}`);
  });

  it('four keys of one team hold two connections, and other teams’ calls are answered at once', async () => {
    await lockCounters();
    const visits = storm(keys, 40);
    await stuck(2);
    await expectOthersAnswered(visit(page.key));
    expect(await waiting()).toBe(2);
    await lock.query('ROLLBACK');
    expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('forty addresses of one team hold two connections, those of all teams four, and calls with secret keys are answered at once', async () => {
    await lock.query('LOCK TABLE publishable_addresses IN ACCESS EXCLUSIVE MODE');
    const visits = storm(keys, 40);
    await stuck(2);
    expect(await waiting()).toBe(2);
    const teams = await Promise.all([app.anAccount(), app.anAccount(), app.anAccount()]);
    for (const { liveKey } of teams) {
      const { key } = await aPublishableKey(app, liveKey);
      visits.push(visit(key), visit(key));
    }
    await stuck(4);
    await expectOthersAnswered();
    expect(await waiting()).toBe(4);
    await lock.query('ROLLBACK');
    expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});
