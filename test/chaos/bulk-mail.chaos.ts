import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../support/processes/bulk-chaos.js';
import { BulkFleet } from '../support/processes/bulk-fleet.js';
import { ListWorld } from '../support/processes/list-world.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';

const SIZE = 3_000;
const KILLS = 50;
/** The connections of a killed worker are leased to it for 15 s more, and a chunk must make progress in between. */
const MAX_PAUSE_MS = 20_000;

describe('a list at its mail servers, with three workers', () => {
  let world: ListWorld;
  let fleet: BulkFleet;
  let key: string;
  beforeAll(async () => {
    world = await ListWorld.start(SIZE);
    fleet = await BulkFleet.start('PostgreSQL', 3, world.env);
  }, 60_000);
  beforeEach(async () => {
    ({ live_key: key } = await fleet.anAccount('unlimited'));
    world.reset();
  });
  afterAll(async () => {
    await fleet.stop();
    await world.stop();
    await RcptProcess.endAll();
  });

  it('is right when a worker is killed, and only what was in flight is sent again', async () => {
    const id = await fleet.submit(world.rows, key);
    await world.untilSent(SIZE);
    await fleet.killWorker(0);
    await fleet.startWorker(0);
    expect(await world.wrongRows(fleet, id, key)).toEqual([]);
    const times = [...world.sent.values()];
    expect(times).toHaveLength(world.rows.length);
    // Once more because of the worker, and once more to judge late rejections (`late-rejections.ts`).
    expect(Math.max(...times)).toBeLessThanOrEqual(3);
    expect(times.filter((n) => n > 1).length).toBeLessThan(SIZE);
  }, 120_000);

  it(`is right while workers are killed ${KILLS} times, with the totals of its providers kept`, async () => {
    const random = randomFrom(1);
    let kills = 0;
    while (kills < KILLS) {
      ({ live_key: key } = await fleet.anAccount('unlimited'));
      world.reset();
      const id = await fleet.submit(world.rows, key);
      let isDone = false;
      const wrong = world.wrongRows(fleet, id, key).finally(() => (isDone = true));
      for (; !isDone && kills < KILLS; kills++) {
        await pause(random() * MAX_PAUSE_MS);
        const n = Math.floor(random() * fleet.workers.length);
        await fleet.killWorker(n);
        await fleet.startWorker(n);
      }
      expect(await wrong).toEqual([]);
      expect(world.sent.size).toBe(world.rows.length);
      expect(world.providers.google.group.peak).toBeLessThanOrEqual(5);
      expect(world.providers.post.group.peak).toBeLessThanOrEqual(6);
    }
  }, 1_800_000);

  it('is right when PostgreSQL says nothing for ten seconds, with the totals kept', async () => {
    const id = await fleet.submit(world.rows, key);
    await world.untilSent(SIZE);
    fleet.databaseRelay.stall();
    await pause(10_000);
    await fleet.databaseRelay.close();
    await fleet.databaseRelay.open();
    expect(await world.wrongRows(fleet, id, key)).toEqual([]);
    expect(world.providers.google.group.peak).toBeLessThanOrEqual(5);
    expect(world.providers.post.group.peak).toBeLessThanOrEqual(6);
    expect(fleet.unexpectedExits()).toEqual([]);
  }, 300_000);
});
