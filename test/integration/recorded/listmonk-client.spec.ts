import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { recordingOf, whole } from '../../support/recorded/listmonk/recording.js';
import { replayed } from '../../support/recorded/listmonk/replay.js';
import { LISTMONK_VERSIONS } from '../../support/schedules/listmonk-version.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';

let world: ScheduleApp;
beforeAll(async () => {
  world = await ScheduleApp.start();
});
afterAll(() => world.stop());

describe.each(LISTMONK_VERSIONS)('a schedule of the people of the recording of listmonk %s', (version) => {
  const recording = recordingOf(version);
  const [making] = recording.scenes;
  let account: NewAccount;
  let listmonk: ScriptedListmonk;
  beforeEach(async () => {
    account = await world.app.anAccount();
    listmonk = await ScriptedListmonk.start(version);
    for (const exchange of making!.exchanges)
      if (typeof exchange !== 'string') await replayed(exchange, listmonk.url);
  });
  afterEach(() => listmonk.stop());

  /** The subscribers of a recorded page. */
  function recordedIds(query: string): number[] {
    for (const { exchanges } of recording.scenes)
      for (const exchange of exchanges) {
        if (typeof exchange === 'string' || exchange.request.path !== `/api/subscribers?${query}`) continue;
        const { data } = whole(exchange.response.body, recording) as { data: { results: { id: number }[] } };
        return data.results.map(({ id }) => id);
      }
    throw new Error(`No page was recorded: ${query}`);
  }

  it.each([
    ['one list of whole pages', [1], 'list_id=1&order=asc&page=1&per_page=250'],
    ['two lists that share people', [2, 4], 'list_id=2&list_id=4&order=asc&page=1&per_page=50'],
  ])('reads each of them once: %s', async (_, lists, query) => {
    const people = new Set(recordedIds(query)).size;
    const run = await world.run(await world.aSchedule(account, listmonk.source(lists)), account);
    expect(run).toMatchObject({ status: 'completed', rows: people, verified: people });
  });

  it('ends the subscriptions of whom it blocklists, as the recording says, and asks nobody by mail', async () => {
    const asked = listmonk.asksToConfirm.length;
    const more = { on_result: { listmonk: 'blocklist_undeliverable' } };
    const run = await world.run(await world.aSchedule(account, listmonk.source([3]), more), account);
    expect(run).toMatchObject({ status: 'completed', rows: recordedOnDouble() });
    for (const { status, lists } of listmonk.subscribers.values())
      if (status === 'blocklisted')
        expect(lists.every((list) => list.subscription_status === 'unsubscribed')).toBe(true);
    expect(listmonk.asksToConfirm).toHaveLength(asked);
  });

  const recordedOnDouble = () =>
    [...listmonk.subscribers.values()].filter(({ lists }) => lists.some(({ id }) => id === 3)).length;
});
