import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { BulkJobRepository } from '../../../src/modules/lists/bulk/domain/bulk-job.repository.js';
import { ListRepository } from '../../../src/modules/lists/bulk/domain/list.repository.js';
import { PreviewRepository } from '../../../src/modules/lists/bulk/domain/preview.repository.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, sendList, upkeepOf, verifyOn } from '../../support/app/bulk.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';

const HOUR_MS = 3_600_000;
const LIST = ['no address', 'nor this'];

describe('a held list', () => {
  let app: TestApp;
  let account: NewAccount;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
  });
  beforeEach(async () => {
    account = await app.anAccount('starter');
    key = account.liveKey;
  });
  afterAll(() => app.stop());

  const start = (id: string, of = key) => app.post(`/v1/bulk-jobs/${id}/start`, of);
  const quota = async () => ((await app.get('/v1/usage', key)).body as UsageTodayResponse).quota;
  const leftOf = async () => {
    const countOf = async (table: string) => (await rowsOf<unknown>(app, `SELECT FROM ${table}`)).length;
    return {
      bulk_rows: await countOf('bulk_rows'),
      bulk_chunks: await countOf('bulk_chunks'),
      list_previews: await countOf('list_previews'),
    };
  };
  const NOTHING = { bulk_rows: 0, bulk_chunks: 0, list_previews: 0 };

  it('that is started is not deleted by a sweep that found it due before', async () => {
    const { id } = await aHeldJob(app, key, LIST);
    const repository = app.service.app.get(PreviewRepository);
    const listHeldBefore = repository.listHeldBefore.bind(repository);
    // The clock of the process that sweeps is ahead.
    repository.listHeldBefore = async (before) => {
      const due = await listHeldBefore(new Date(before.getTime() + 24 * HOUR_MS));
      expect((await start(id)).status).toBe(200);
      return due;
    };
    await upkeepOf(app).deleteDue();
    repository.listHeldBefore = listHeldBefore;
    expect(await jobOf(app, key, id)).toMatchObject({ status: 'queued', usage: { reserved: 2 } });
    await verifyOn(app);
    expect(await jobOf(app, key, id)).toMatchObject({ status: 'completed', usage: { charged: 2 } });
    await app.delete(`/v1/bulk-jobs/${id}`, key);
    await upkeepOf(app).deleteDue();
  });

  it('is not started by a call that waited until it expired', async () => {
    const { id } = await aHeldJob(app, key, LIST);
    const repository = app.service.app.get(BulkJobRepository);
    const lockCreation = repository.lockCreation.bind(repository);
    repository.lockCreation = async (scope) => {
      await lockCreation(scope);
      app.clock.advance(24 * HOUR_MS);
    };
    expectProblem(await start(id), 404, 'not_found');
    repository.lockCreation = lockCreation;
    expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
    await upkeepOf(app).deleteDue();
    expect(await leftOf()).toEqual(NOTHING);
  });

  it('is started, canceled and deleted at the same time with nothing reserved in the end', async () => {
    ({ liveKey: key } = await app.anAccount('scale'));
    for (let round = 0; round < 6; round++) {
      const { id } = await aHeldJob(app, key, LIST);
      const calls = [start(id), app.post(`/v1/bulk-jobs/${id}/cancel`, key), start(id)];
      if (round % 2 === 0) calls.push(app.delete(`/v1/bulk-jobs/${id}`, key));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.every((status) => [200, 204, 404].includes(status))).toBe(true);
      expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
      await app.delete(`/v1/bulk-jobs/${id}`, key);
    }
    await upkeepOf(app).deleteDue();
    expect(await leftOf()).toEqual(NOTHING);
  });

  it('is one list, whose response is repeated, where a request is sent again with its key', async () => {
    const send = () =>
      app.post('/v1/verify/bulk?hold=true', key).set('Idempotency-Key', 'the same').send({ emails: LIST });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    const { id } = first.body as { id: string };
    await start(id);
    expect((await send()).body).toMatchObject({ id, status: 'held' });
    const { data } = (await app.get('/v1/bulk-jobs', key)).body as { data: { id: string }[] };
    expect(data.map((job) => job.id)).toEqual([id]);
    expect(await quota()).toMatchObject({ reserved: 2 });
    await app.delete(`/v1/bulk-jobs/${id}`, key);
  });

  it('has no event before it is started, whatever becomes of it', async () => {
    const jobs = [];
    for (let n = 0; n < 3; n++) jobs.push(await aHeldJob(app, key, LIST));
    await previewOn(app);
    await app.post(`/v1/bulk-jobs/${jobs[0]!.id}/cancel`, key);
    await app.delete(`/v1/bulk-jobs/${jobs[1]!.id}`, key);
    app.clock.advance(24 * HOUR_MS);
    await upkeepOf(app).deleteDue();
    const events = `SELECT type FROM outbox WHERE team_id = $1 AND type LIKE 'bulk%'`;
    expect(await rowsOf(app, events, [account.team.id])).toEqual([]);
    const { id } = await aHeldJob(app, key, LIST);
    await start(id);
    await verifyOn(app);
    expect(await rowsOf(app, events, [account.team.id])).toEqual([{ type: 'bulk_job.completed' }]);
    await app.delete(`/v1/bulk-jobs/${id}`, key);
    await upkeepOf(app).deleteDue();
  });

  it('is deleted with its rows by a call, and with its team', async () => {
    const { id } = await aHeldJob(app, key, LIST);
    expect((await app.delete(`/v1/bulk-jobs/${id}`, key)).status).toBe(204);
    await upkeepOf(app).deleteDue();
    expect(await leftOf()).toEqual(NOTHING);
    await aHeldJob(app, key, LIST);
    const { id: previewed } = await aHeldJob(app, key, LIST);
    await previewOn(app);
    expect((await jobOf(app, key, previewed)).preview).not.toBeNull();
    await aHeldJob(app, key, LIST);
    expect((await app.delete('/v1/team', key)).status).toBe(204);
    await app.dispatchEvents();
    await upkeepOf(app).deleteDue();
    await previewOn(app);
    expect(await leftOf()).toEqual(NOTHING);
  });

  it('is started with the quota for its unique addresses, whatever its rows', async () => {
    const all = Array.from({ length: 997 }, (_, n) => `no address ${n}`);
    const first = await aHeldJob(app, key, all);
    expect((await start(first.id)).status).toBe(200);
    const { id } = await aHeldJob(app, key, ['a', 'A', 'b', 'b', 'c', 'c', 'd', '']);
    expectProblem(await start(id), 429, 'daily_quota_exceeded');
    const { id: fitting } = await aHeldJob(app, key, ['a', 'a', 'a', 'b', 'b', 'c', '']);
    expect((await start(fitting)).body).toMatchObject({ usage: { reserved: 3 } });
    expect((await quota()).reserved).toBe(1_000);
    await verifyOn(app);
    expect(await jobOf(app, key, fitting)).toMatchObject({ status: 'completed', usage: { charged: 3 } });
    for (const each of [first.id, fitting, id]) await app.delete(`/v1/bulk-jobs/${each}`, key);
    await upkeepOf(app).deleteDue();
  });

  it('of a test key waits while another list of the key is verified', async () => {
    const lists = [await aHeldJob(app, account.testKey, LIST), await aHeldJob(app, account.testKey, LIST)];
    const [one, two] = lists.map(({ id }) => id) as [string, string];
    expect((await start(one, account.testKey)).status).toBe(200);
    expectProblem(await start(two, account.testKey), 429, 'rate_limited');
    expect(await jobOf(app, account.testKey, two)).toMatchObject({ status: 'held' });
    await verifyOn(app);
    expect((await start(two, account.testKey)).status).toBe(200);
    await verifyOn(app);
    expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
    for (const { id } of lists) await app.delete(`/v1/bulk-jobs/${id}`, account.testKey);
    app.clock.advance(24 * HOUR_MS);
    await upkeepOf(app).deleteDue();
  });

  it('leaves nothing where the database fails while its rows arrive', async () => {
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    const lists = app.service.app.get(ListRepository);
    const addRows = lists.addRows.bind(lists);
    let batches = 0;
    lists.addRows = (...of) => (++batches > 1 ? Promise.reject(full) : addRows(...of));
    const rows = Array.from({ length: 30_000 }, (_, n) => `"no address ${n}"`).join('\n');
    const { liveKey } = await app.anAccount();
    const type = 'application/x-ndjson';
    const { status } = await sendList(app, liveKey, rows, type, { query: '?hold=true' });
    lists.addRows = addRows;
    expect(batches).toBeGreaterThan(1);
    expect(status).toBeGreaterThanOrEqual(500);
    await upkeepOf(app).deleteDue();
    expect(await leftOf()).toEqual(NOTHING);
    expect((await sendList(app, liveKey, rows, type, { query: '?hold=true' })).status).toBe(202);
  });
});
