import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { resultsOf, workOn } from '../../support/app/bulk.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';

let world: ScheduleApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
});
afterEach(() => listmonk.stop());
afterAll(() => world.stop());

const aSchedule = (action: string, lists?: number[]) =>
  world.aSchedule(account, listmonk.source(lists), { on_result: { listmonk: action } });

/** Requests a run, and works on it until its results are written. */
async function untilWriting(schedule: { id: string }) {
  await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
  await world.advance();
  await workOn(world.app);
  await world.app.dispatchEvents();
}

describe('a schedule of listmonk', () => {
  it('verifies the subscribers of its lists, page by page, without those on the blocklist', async () => {
    const both = [1, 2].map((id) => ({ id, subscription_status: 'confirmed', optin: 'single' as const }));
    listmonk.add('on.both@list.invalid', { lists: both });
    for (let n = 0; n < 300; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.add('blocked@list.invalid', { status: 'blocklisted' });
    listmonk.add('other@list.invalid', {
      lists: [{ id: 9, subscription_status: 'confirmed', optin: 'single' }],
    });
    const schedule = await aSchedule('none', [1, 2]);
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ status: 'completed', rows: 301, verified: 301, new: 301 });
    expect(listmonk.paths('GET')).toContain(
      '/api/subscribers?list_id=1&list_id=2&order=asc&page=1&per_page=250',
    );
    expect(listmonk.asked.every(({ method }) => method === 'GET')).toBe(true);
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 301, verified: 0 });
  });

  it.each<[string, number, () => void]>([
    ['somebody is removed', 120, () => listmonk.subscribers.delete(1)],
    [
      'a whole page is removed',
      80,
      () => Array.from({ length: 60 }, (_, n) => listmonk.subscribers.delete(n + 1)),
    ],
    [
      'the last of a page is removed',
      120,
      () => listmonk.subscribers.delete(50) && listmonk.subscribers.delete(99),
    ],
    ['somebody before joins the list', 121, () => (listmonk.subscribers.get(1)!.lists[0]!.id = 1)],
  ])('misses nobody when %s between two pages', async (_, expected, change) => {
    for (let n = 0; n < 121; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.subscribers.get(1)!.lists[0]!.id = expected === 121 ? 9 : 1;
    listmonk.before = () => {
      if (listmonk.asked.length === 2) change();
    };
    const { job_id } = await world.run(await aSchedule('none'), account);
    const found = await resultsOf(world.app, account.liveKey, job_id ?? '');
    const emails = new Set(found.map(({ email }) => email));
    for (const { email, id } of listmonk.subscribers.values())
      if (expected !== 121 || id !== 1) expect(emails).toContain(email);
  });

  it.each([
    ['nine of a page, whatever is asked for', { size: 9 }],
    ['pages of another size than it says', { size: 8, says: 250 }],
    ['no size and no total', { size: 7, says: undefined, total: undefined }],
    ['an old total that is too small', { size: 50, total: 5 }],
    ['an old total that is too great', { size: 50, total: 500 }],
    ['the newest first', { size: 50, isReversed: true }],
  ])('misses nobody where listmonk has %s', async (_, pages) => {
    const count = 2 * pages.size + 1;
    for (let n = 0; n < count; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.pages = pages;
    expect(await world.run(await aSchedule('none'), account)).toMatchObject({ verified: count });
  });

  it('blocklists those whose address is undeliverable, and nobody else', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const kept = listmonk.add('kept@reader.dev');
    const run = await world.run(await aSchedule('blocklist_undeliverable'), account);
    expect(run).toMatchObject({ status: 'completed', verified: 2 });
    expect([gone.status, kept.status]).toEqual(['blocklisted', 'enabled']);
    expect(listmonk.asked.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('changes nothing of a subscriber who has changed the address, or is gone', async () => {
    const moved = listmonk.add('moved@list.invalid');
    const deleted = listmonk.add('deleted@list.invalid');
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await untilWriting(schedule);
    moved.email = 'new@reader.dev';
    listmonk.subscribers.delete(deleted.id);
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'completed' }]);
    expect([moved.status, gone.status]).toEqual(['enabled', 'blocklisted']);
  });

  it('adds the result to the attributes, and keeps those that were set in between', async () => {
    const reader = listmonk.add('reader@list.invalid', { attribs: { city: 'Bonn' } });
    const schedule = await aSchedule('attributes');
    await untilWriting(schedule);
    reader.attribs.plan = 'pro';
    await world.work();
    expect(reader.attribs).toEqual({
      city: 'Bonn',
      plan: 'pro',
      rcpt: expect.objectContaining({ status: 'undeliverable', score: 0 }) as unknown,
    });
    expect(reader).toMatchObject({ status: 'enabled', lists: [{ subscription_status: 'confirmed' }] });
  });

  it('changes no subscription where only whole subscribers can be changed', async () => {
    listmonk.version = '5.1.0';
    const list = (id: number, subscription_status: string, optin: 'single' | 'double') => ({
      id,
      subscription_status,
      optin,
    });
    const readers = [
      listmonk.add('confirmed@list.invalid', {
        lists: [list(1, 'confirmed', 'double'), list(2, 'confirmed', 'single')],
      }),
      listmonk.add('single@list.invalid', { lists: [list(1, 'unconfirmed', 'single')] }),
      listmonk.add('left@list.invalid', {
        lists: [list(1, 'confirmed', 'single'), list(2, 'unsubscribed', 'single')],
      }),
      listmonk.add('asked@list.invalid', { lists: [list(1, 'unconfirmed', 'double')] }),
    ];
    const before = structuredClone(readers);
    await world.run(await aSchedule('attributes'), account);
    expect(readers.map(({ lists }) => lists)).toEqual(before.map(({ lists }) => lists));
    expect(readers.map(({ attribs }) => 'rcpt' in attribs)).toEqual([true, true, false, false]);
  });

  it('says that its token is refused, when it is added and when it runs', async () => {
    listmonk.add('reader@list.invalid');
    const refused = { name: 'A list', every: 'day', source: { ...listmonk.source(), token: 'another' } };
    const answer = await world.app.post('/v1/schedules', account.liveKey).send(refused);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/source/lists' }] } });
    const schedule = await aSchedule('none');
    listmonk.before = () => listmonk.failures.push(403);
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ status: 'failed', failure: { code: 'unauthorized' } });
    expect(world.app.logged()).not.toContain('another"');
  });

  it('writes again after an error, and writes nothing that was written', async () => {
    for (let n = 0; n < 3; n++) listmonk.add(`gone${n}@list.invalid`);
    const schedule = await aSchedule('blocklist_undeliverable');
    await untilWriting(schedule);
    listmonk.failures.push(500);
    await world.work();
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'writing', written: 0 }]);
    await world.endLeases();
    await world.work();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'completed', verified: 3, new: 3, written: 3 }]);
    expect([...listmonk.subscribers.values()].every(({ status }) => status === 'blocklisted')).toBe(true);
    expect(listmonk.paths('PUT')).toEqual(['/api/subscribers/blocklist']);
  });

  it('that refuses changes fails, and the next run writes the results without verifying them again', async () => {
    const gone = listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await untilWriting(schedule);
    listmonk.before = ({ method }) => {
      if (method === 'PUT') listmonk.failures.push(403);
    };
    await world.work();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'failed', failure: { code: 'unauthorized' } }]);
    expect(await world.run(schedule, account)).toMatchObject({ status: 'failed', rows: 1, job_id: null });
    listmonk.before = () => undefined;
    expect(await world.run(schedule, account)).toMatchObject({
      status: 'completed',
      verified: 0,
      written: 1,
    });
    expect(gone.status).toBe('blocklisted');
    const jobs = await world.app.get('/v1/bulk-jobs', account.liveKey);
    expect((jobs.body as { data: unknown[] }).data).toHaveLength(1);
  });

  it.each(['blocklist_undeliverable', 'attributes'])(
    'counts subscribers that it refuses to change for good (%s), and does not verify them again',
    async (action) => {
      const [kept, refused, gone, foreign] = ['kept', 'refused', 'gone', 'foreign'].map((name) =>
        listmonk.add(`${name}@list.invalid`),
      );
      const schedule = await aSchedule(action);
      await untilWriting(schedule);
      listmonk.refused.set(refused!.id, 400);
      listmonk.subscribers.delete(gone!.id);
      listmonk.before = ({ method, path }) => {
        // Of a subscriber who has left the lists that the user may read.
        if (method === 'GET' && path.endsWith(`/${foreign!.id}`)) listmonk.failures.push(403);
      };
      await world.work();
      const [run] = await world.runsOf(schedule, account);
      expect(run).toMatchObject({ status: 'completed', verified: 4, not_written: 3 });
      const isWritten = (each = kept) => each!.status === 'blocklisted' || 'rcpt' in each!.attribs;
      expect([kept, refused, foreign].map(isWritten)).toEqual([true, false, false]);
      expect(await world.run(schedule, account)).toMatchObject({ status: 'completed', verified: 0 });
    },
  );

  it('asks nobody by mail to confirm a subscription', async () => {
    const double = [{ id: 1, subscription_status: 'unconfirmed', optin: 'double' as const }];
    listmonk.add('asked@list.invalid', { lists: double });
    const reader = listmonk.add('reader@list.invalid');
    expect(await world.run(await aSchedule('attributes'), account)).toMatchObject({ not_written: 1 });
    expect(listmonk.asksToConfirm).toEqual([]);
    expect(reader.attribs).toHaveProperty('rcpt');
  });
});
