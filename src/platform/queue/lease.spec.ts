import { expect, it, jest } from '@jest/globals';
import type { Clock } from '../../kernel/clock.js';
import { NotFound } from '../../kernel/errors.js';
import { GOES_ON, type Release, type TeamWork, type TeamWorker } from '../../kernel/queue/team-work.js';
import { Lease } from './lease.js';

const AWAY = new Error('The database is away');
const FAILED = { afterSeconds: 5, countsAsAttempt: true };

/** A unit whose lease lasts a minute. */
class World {
  readonly released: Release[] = [];
  readonly pauses: number[] = [];
  releasesThatFail = 0;
  leaseSeconds = 60;
  renew: () => Promise<boolean> = async () => true;

  async work(run: TeamWorker<string>['run'], signal = new AbortController().signal): Promise<void> {
    const units: TeamWork<string> = {
      leaseSeconds: this.leaseSeconds,
      claim: async () => null,
      renew: () => this.renew(),
      release: async (_, release) => {
        this.released.push(release);
        if (this.released.length <= this.releasesThatFail) throw AWAY;
      },
      listWaitingTeams: async () => [],
    };
    const clock = { pause: async (ms: number) => void this.pauses.push(ms) } as unknown as Clock;
    await new Lease({ units, renewMs: 1, run, pauseAfter: () => 5 }, 'unit', clock).work(signal);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
const fails = () => Promise.reject(AWAY);

it('ends with work that is done, and gives back a unit that goes on', async () => {
  const world = new World();
  await world.work(async () => null);
  expect(world.released).toEqual([]);
  await world.work(async () => GOES_ON);
  expect(world.released).toEqual([{ afterSeconds: 0, countsAsAttempt: false }]);
});

it('of a unit that fails ends with a pause, and the failure counts', async () => {
  const world = new World();
  await expect(world.work(fails)).rejects.toBe(AWAY);
  expect(world).toMatchObject({ released: [FAILED], pauses: [] });
});

it('ends as soon as the database is back, and the failure is not counted', async () => {
  const world = new World();
  world.releasesThatFail = 3;
  await expect(world.work(fails)).rejects.toBe(AWAY);
  expect(world.released).toEqual([FAILED, GOES_ON, GOES_ON, GOES_ON]);
  expect(world.pauses).toEqual([1_000, 1_000, 1_000]);
});

it('is given up when it has expired anyway, or the process shuts down', async () => {
  const [away, shutDown] = [new World(), new World()];
  for (const world of [away, shutDown]) world.releasesThatFail = 1_000;
  await expect(away.work(fails)).rejects.toBe(AWAY);
  expect(away.released).toHaveLength(60);
  await expect(shutDown.work(fails, AbortSignal.abort())).rejects.toBe(AWAY);
  expect(shutDown.released).toHaveLength(1);
});

it('that was lost stops the work when it is renewed, and nothing is given back', async () => {
  const world = new World();
  world.renew = async () => false;
  await world.work(async (_, signal) => {
    await aborted(signal);
    signal.throwIfAborted();
    return null;
  });
  expect(world.released).toEqual([]);
});

it('is held while the database does not answer a renewal', async () => {
  const world = new World();
  let renewals = 0;
  await world.work(async (_, signal) => {
    await new Promise<void>((resolve) => {
      world.renew = () => (++renewals === 3 ? Promise.resolve(true).finally(resolve) : Promise.reject(AWAY));
    });
    expect(signal.aborted).toBe(false);
    return null;
  });
});

it('that no renewal reaches stops the work before it expires, and the attempt is not counted', async () => {
  jest.useFakeTimers();
  const world = new World();
  world.renew = () => new Promise(() => undefined);
  let held = new AbortController().signal;
  const work = world.work(async (_, signal) => {
    held = signal;
    await aborted(signal);
    throw signal.reason;
  });
  jest.advanceTimersByTime(50_000);
  expect(held.aborted).toBe(false);
  jest.advanceTimersByTime(9_000);
  expect(held.aborted).toBe(true);
  await expect(work).rejects.toThrow();
  expect(world.released).toEqual([{ afterSeconds: 5, countsAsAttempt: false }]);
  jest.useRealTimers();
});

it('of work that may not go on stops it with the reason, and the failure counts', async () => {
  const world = new World();
  const gone = new NotFound('gone');
  world.renew = () => Promise.reject(gone);
  const work = world.work(async (_, signal) => {
    await aborted(signal);
    throw signal.reason;
  });
  await expect(work).rejects.toBe(gone);
  expect(world.released).toEqual([FAILED]);
});
