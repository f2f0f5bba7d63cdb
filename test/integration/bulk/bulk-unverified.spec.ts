import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, aHeldJob, sendList, upkeepOf, verifyOn } from '../../support/app/bulk.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';

const DAY_MS = 86_400_000;
const LIST = ['no address', 'nor this', ''];
/** Of a tier whose longest held list has 10,000 rows. */
const MAX_ROWS = 200_000;
const MAX_LISTS = 1_000;

interface Kept {
  id: string;
  total: number;
  name: string | null;
}

describe('rows of a team that are sent and not verified', () => {
  let app: TestApp;
  let account: NewAccount;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    // The time of a test is in one day.
    const nowMs = app.clock.now().getTime();
    app.clock.advance(DAY_MS - (nowMs % DAY_MS) + 12 * 3_600_000);
  });
  beforeEach(async () => {
    account = await app.anAccount('starter');
    key = account.liveKey;
  });
  afterAll(() => app.stop());

  const hold = (of = key) => app.post('/v1/verify/bulk?hold=true', of).send({ emails: LIST });
  const erased = async (id: string, of = key) => {
    expect((await app.delete(`/v1/bulk-jobs/${id}`, of)).status).toBe(204);
    await upkeepOf(app).deleteDue();
  };
  const kept = () =>
    rowsOf<Kept>(app, `SELECT id, total, name FROM bulk_jobs WHERE team_id = $1 AND state = 'erasing'`, [
      account.team.id,
    ]);
  /** As if it was a long one. */
  const lengthen = (id: string, total: number) =>
    rowsOf(app, 'UPDATE bulk_jobs SET total = $2 WHERE id = $1', [id, total]);
  const csv = (rows: number) => ['email', ...Array.from({ length: rows }, (_, n) => `a${n}@b`)].join('\n');

  it('count for their day when a held list is deleted, until midnight UTC', async () => {
    const { id } = await aHeldJob(app, key, LIST, { name: 'Jane' });
    await erased(id);
    expect(await kept()).toEqual([{ id, total: 3, name: null }]);
    expect(await rowsOf(app, 'SELECT FROM bulk_rows')).toEqual([]);
    // One is processed, because it has no address.
    await lengthen(id, MAX_ROWS - 1);
    expect((await hold()).status).toBe(202);
    const refused = await hold();
    expectProblem(refused, 429, 'too_many_unverified');
    expect(refused.body).toMatchObject({ limit: MAX_ROWS });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeLessThanOrEqual(12 * 3_600);
    expect(seconds).toBeGreaterThan(11 * 3_600);
    const direct = await app.post('/v1/verify/bulk', key).send({ emails: LIST });
    expectProblem(direct, 429, 'too_many_unverified');
    expect((await hold((await app.anAccount('starter')).liveKey)).status).toBe(202);
    app.clock.advance(DAY_MS);
    expect((await hold()).status).toBe(202);
    app.clock.advance(DAY_MS);
    await upkeepOf(app).deleteDue();
    expect((await kept()).map((job) => job.id)).not.toContain(id);
  });

  it('count whose units were returned when the list was canceled', async () => {
    const { id } = await aBulkJob(app, key, LIST);
    await app.post(`/v1/bulk-jobs/${id}/cancel`, key);
    await lengthen(id, MAX_ROWS);
    expectProblem(await hold(), 429, 'too_many_unverified');
    await erased(id);
    expectProblem(await hold(), 429, 'too_many_unverified');
  });

  it('count with their lists, however short these are', async () => {
    const { id } = await aHeldJob(app, key, LIST);
    await erased(id);
    const columns = `team_id, mode, state, refresh, total, empty, addresses, processed, verified, charged, by_reason,
                     bounces, chunks_left, deferred_left, retention_days, created_at, touched_at`;
    const copies = `INSERT INTO bulk_jobs (id, ${columns}) SELECT id || n, ${columns} FROM bulk_jobs, generate_series(1, $2::integer) AS n WHERE id = $1`;
    await rowsOf(app, copies, [id, MAX_LISTS - 2]);
    expect((await hold()).status).toBe(202);
    expectProblem(await hold(), 429, 'too_many_unverified');
  });

  it('do not count when the list is started and verified, also after its deletion', async () => {
    const { id } = await aHeldJob(app, key, LIST);
    await lengthen(id, MAX_ROWS + 1);
    expectProblem(await hold(), 429, 'too_many_unverified');
    await lengthen(id, 3);
    await app.post(`/v1/bulk-jobs/${id}/start`, key);
    expect((await hold()).status).toBe(202);
    await verifyOn(app);
    await erased(id);
    expect((await kept()).map((job) => job.id)).not.toContain(id);
  });

  it('count with what has reached the database when the list is refused', async () => {
    // Wide rows: the first ones are stored before the row that is too much is read.
    const wide = csv(20_000).replaceAll('\n', `,${'x'.repeat(200)}\n`);
    const long = await sendList(app, key, wide, 'text/csv', { query: '?hold=true' });
    expectProblem(long, 413, 'bulk_too_large');
    const [refused] = await kept();
    expect(refused?.total).toBeGreaterThanOrEqual(4_000);
    expect(refused?.total).toBeLessThan(20_000);
    const rows = 'SELECT FROM bulk_rows JOIN bulk_jobs USING (list) WHERE id = $1';
    expect(await rowsOf(app, rows, [refused?.id])).toEqual([]);
    await lengthen(refused?.id ?? '', MAX_ROWS);
    expectProblem(await hold(), 429, 'too_many_unverified');
  });

  it('do not count when the list is refused before they are stored', async () => {
    expectProblem(await sendList(app, key, 'email\n"a', 'text/csv'), 400, 'malformed_list');
    expectProblem(await sendList(app, key, csv(3_000), 'text/csv'), 413, 'bulk_too_large');
    expect((await kept()).map(({ total }) => total)).toEqual([]);
  });

  it('have no limit for a tier without a daily quota', async () => {
    const { liveKey } = await app.anAccount('unlimited');
    const { id } = await aHeldJob(app, liveKey, LIST);
    await erased(id, liveKey);
    await lengthen(id, 2_000_000_000);
    expect((await hold(liveKey)).status).toBe(202);
  });

  it('of a test key leave room for ten held lists when they are deleted', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await aHeldJob(app, account.testKey, LIST);
      await app.delete(`/v1/bulk-jobs/${id}`, account.testKey);
    }
    expectProblem(await hold(account.testKey), 409, 'too_many_held_lists');
    await upkeepOf(app).deleteDue();
    expect((await hold(account.testKey)).status).toBe(202);
  });
});
