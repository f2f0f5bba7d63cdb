import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';

const TEAMS = 5;

describe('while results are read from a slow database', () => {
  let app: TestApp;
  let readers: { account: NewAccount; id: string }[];
  let lock: Client;
  beforeAll(async () => {
    app = await anApp();
    readers = [];
    for (let n = 0; n < TEAMS; n++) {
      const account = await app.anAccount();
      const { id } = await aBulkJob(app, account.testKey, ['jane@example.com', 'catch_all@example.com']);
      readers.push({ account, id });
    }
    await workOn(app);
    lock = new Client({ connectionString: app.shared.DATABASE_URL });
    await lock.connect();
  });
  afterAll(async () => {
    await lock.end();
    await app.stop();
  });
  beforeEach(async () => {
    await lock.query('BEGIN; LOCK TABLE bulk_rows IN ACCESS EXCLUSIVE MODE');
  });
  afterEach(() => lock.query('ROLLBACK'));

  const read = ({ account, id }: { account: NewAccount; id: string }, query: string, accept: string) =>
    fetch(`${app.url}/v1/bulk-jobs/${id}/results${query}`, {
      headers: { Authorization: `Bearer ${account.testKey}`, Accept: accept },
    }).then(async (answer) => {
      await answer.text();
      return answer.status;
    });
  const page = (reader: { account: NewAccount; id: string }) =>
    read(reader, '?status=risky&limit=1', 'application/json');

  const waiting = async () => {
    const { rows } = await lock.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted AND relation = 'bulk_rows'::regclass`,
    );
    return rows[0]?.n ?? 0;
  };

  /** Resolves when this many statements wait for the lock. */
  async function stuck(most: number): Promise<void> {
    while ((await waiting()) < most) await pause(10);
  }

  it('every other call is answered at once, also under a key that is not cached', async () => {
    const fresh = await app.anAccount();
    const reading = readers.flatMap((reader) => [
      ...[1, 2, 3, 4].map(() => read(reader, '', 'text/csv')),
      ...[1, 2, 3, 4, 5, 6].map(() => page(reader)),
    ]);
    await stuck(4);
    const answers = await Promise.all([
      app.get('/v1/me', fresh.liveKey),
      app.get('/v1/verify?email=jane@example.com', fresh.testKey),
      app.get('/readyz'),
      app.get(`/v1/bulk-jobs/${readers[0]?.id}`, readers[0]?.account.testKey),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // The readers still wait for the lock: the responses did not wait for them.
    expect(await waiting()).toBe(4);
    await lock.query('ROLLBACK');
    expect(new Set(await Promise.all(reading))).toEqual(new Set([200]));
  });

  it('one team with thirty pages has two running reads, and another team’s page waits for at most two', async () => {
    const [greedy, other] = readers as [(typeof readers)[0], (typeof readers)[0]];
    const order: string[] = [];
    const reading = Array.from({ length: 30 }, () => page(greedy).then(() => order.push('greedy')));
    await stuck(2);
    reading.push(page(other).then(() => order.push('other')));
    await stuck(3);
    expect(await waiting()).toBe(3);
    await lock.query('ROLLBACK');
    await Promise.all(reading);
    expect(order.indexOf('other')).toBeLessThan(10);
  });

  it('more than 64 waiting pages of a team are 429 at once', async () => {
    const [greedy] = readers as [(typeof readers)[0]];
    const statuses: number[] = [];
    const reading = Array.from({ length: 70 }, () => page(greedy).then((status) => statuses.push(status)));
    while (statuses.length < 6) await pause(10);
    expect(statuses).toEqual(new Array(6).fill(429));
    await lock.query('ROLLBACK');
    await Promise.all(reading);
    expect(statuses.slice(6)).toEqual(new Array(64).fill(200));
  });
});
