import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts.service.js';
import { workOn } from '../../support/app/bulk.js';
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
    for (let n = 0; n < 601; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.add('blocked@list.invalid', { status: 'blocklisted' });
    listmonk.add('other@list.invalid', {
      lists: [{ id: 9, subscription_status: 'confirmed', optin: 'single' }],
    });
    const schedule = await aSchedule('none', [1, 2]);
    const run = await world.run(schedule, account);
    expect(run).toMatchObject({ status: 'completed', rows: 601, verified: 601, new: 601 });
    expect(listmonk.paths('GET')).toHaveLength(3);
    expect(listmonk.paths('GET')[0]).toContain('list_id=1&list_id=2&');
    expect(listmonk.asked.every(({ method }) => method === 'GET')).toBe(true);
    expect(await world.run(schedule, account)).toMatchObject({ unchanged: 601, verified: 0 });
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
    listmonk.canPatch = false;
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

  it('says that its token is refused', async () => {
    const schedule = await world.aSchedule(account, { ...listmonk.source(), token: 'another' });
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
    expect(await world.runsOf(schedule, account)).toMatchObject([{ status: 'writing', verified: 0 }]);
    await world.endLeases();
    await world.work();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'completed', verified: 3, new: 3 }]);
    expect([...listmonk.subscribers.values()].every(({ status }) => status === 'blocklisted')).toBe(true);
    expect(listmonk.paths('PUT')).toEqual(['/api/subscribers/blocklist']);
  });

  it('that refuses changes fails, and the rows are verified by the next run', async () => {
    listmonk.add('gone@list.invalid');
    const schedule = await aSchedule('blocklist_undeliverable');
    await untilWriting(schedule);
    listmonk.before = ({ method }) => {
      if (method === 'PUT') listmonk.failures.push(403);
    };
    await world.work();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'failed', failure: { code: 'unauthorized' } }]);
    listmonk.before = () => undefined;
    expect(await world.run(schedule, account)).toMatchObject({
      status: 'completed',
      unchanged: 0,
      verified: 1,
    });
  });
});
