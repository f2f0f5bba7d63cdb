import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { QueueApp, type QueueAppOrder } from '../../support/queue/queue-app.js';
import { QUEUE_STORES } from '../../support/queue/queue-stores.js';

/** Units of work of teams, as a database holds them. */
class Units {
  readonly done: string[] = [];
  private readonly waiting = new Map<string, string[]>();
  private readonly watchers: (() => void)[] = [];

  add(team: string, count: number): void {
    this.waiting.set(
      team,
      Array.from({ length: count }, () => team),
    );
  }

  async claim(team: string): Promise<string | null> {
    return this.waiting.get(team)?.shift() ?? null;
  }

  async work(unit: string): Promise<void> {
    this.done.push(unit);
    for (const watcher of this.watchers) watcher();
  }

  /** Resolves when so many units are done. */
  async until(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = () => this.done.length >= count && resolve();
      this.watchers.push(check);
      check();
    });
  }
}

describe.each(QUEUE_STORES)('jobs of teams %s', (_, store) => {
  const open: QueueApp[] = [];
  const start = async (order: QueueAppOrder) => {
    const app = await QueueApp.start(
      store.url,
      order,
      createLog('error', new PassThrough()),
      new SystemClock(),
    );
    open.push(app);
    return app;
  };
  let units: Units;
  const workers = (queue: string, concurrency: number) =>
    start({
      queue,
      concurrency,
      team: { claim: (team) => units.claim(team), work: (unit) => units.work(unit) },
    });
  beforeAll(() => store.start());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((resource) => resource.close()));
  });
  afterAll(() => store.drop());

  it('wait once for each team', async () => {
    const producer = await start({ queue: 'once' });
    await producer.addFor(['a', 'b']);
    await producer.addFor(['a', 'b', 'a']);
    expect(await producer.counts()).toMatchObject({ waiting: 2, active: 0 });
  });

  it('do all work of a team after one job was added', async () => {
    units = new Units();
    units.add('a', 30);
    const app = await workers('all', 4);
    await app.addFor(['a']);
    await units.until(30);
    // The last jobs of the team find nothing.
    for (let left = 1; left > 0;) {
      const { waiting, active, delayed } = await app.counts();
      left = waiting + active + delayed;
    }
    expect(units.done).toHaveLength(30);
  });

  it('serve teams in turn, however much work one of them has', async () => {
    units = new Units();
    units.add('large', 40);
    units.add('small', 4);
    const producer = await start({ queue: 'turns' });
    await producer.addFor(['large', 'small']);
    await workers('turns', 1);
    await units.until(44);
    expect(units.done.slice(0, 9).filter((team) => team === 'small')).toHaveLength(4);
  });

  it('are worked on at once as many as the worker may process, for one team too', async () => {
    units = new Units();
    units.add('a', 8);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    const work = async (unit: string) => {
      if (++begun === 4) meet();
      await released;
      await units.work(unit);
    };
    const app = await start({
      queue: 'wide',
      concurrency: 4,
      team: { claim: (team) => units.claim(team), work },
    });
    await app.addFor(['a']);
    await met;
    release();
    await units.until(8);
  });

  it('leave the slots that become free to the teams that hold the fewest, however long units last', async () => {
    units = new Units();
    units.add('slow', 40);
    units.add('quick', 20);
    const waiting: (() => void)[] = [];
    let fill = () => {};
    const filled = new Promise<void>((resolve) => (fill = resolve));
    const work = async (unit: string) => {
      if (unit === 'slow') await new Promise<void>((resolve) => waiting.push(resolve) === 4 && fill());
      await units.work(unit);
    };
    const app = await start({
      queue: 'slow',
      concurrency: 4,
      team: { claim: (team) => units.claim(team), work },
    });
    await app.addFor(['slow']);
    await filled;
    await app.addFor(['quick']);
    waiting.shift()!();
    await units.until(21);
    // One of them got a slot again when no unit of the quick team was left, at most.
    expect(units.done.filter((team) => team === 'quick')).toHaveLength(20);
    const release = setInterval(() => waiting.shift()?.());
    await units.until(60);
    clearInterval(release);
  });

  it('make the shares of teams equal as slots become free, however long units last', async () => {
    units = new Units();
    const teams = ['a', 'b', 'c'];
    for (const team of teams) units.add(team, 40);
    const held: Record<string, (() => void)[]> = { a: [], b: [], c: [] };
    let started = 0;
    let isOver = false;
    const starts: { count: number; resolve: () => void }[] = [];
    const untilStarted = (count: number) =>
      new Promise<void>((resolve) => (started >= count ? resolve() : starts.push({ count, resolve })));
    const work = async (unit: string) => {
      started += 1;
      for (const { count, resolve } of starts) if (started >= count) resolve();
      if (!isOver) await new Promise<void>((resolve) => held[unit]!.push(resolve));
      await units.work(unit);
    };
    const producer = await start({ queue: 'shares' });
    await producer.addFor(teams);
    await start({ queue: 'shares', concurrency: 9, team: { claim: (team) => units.claim(team), work } });
    await untilStarted(9);
    const shares = () => teams.map((team) => held[team]!.length);
    for (let n = 1; n <= 12; n++) {
      const most = teams.reduce((one, other) => (held[other]!.length > held[one]!.length ? other : one));
      held[most]!.shift()!();
      await untilStarted(9 + n);
    }
    // The last unit that ended was one of a team with the most, and its slot went to one with the fewest.
    expect(shares()).toEqual([3, 3, 3]);
    isOver = true;
    for (const waiting of Object.values(held)) for (const end of waiting) end();
    await units.until(120);
  });

  it('are added again when the work of one fails', async () => {
    units = new Units();
    units.add('a', 3);
    const work = async (unit: string) => {
      await units.work(unit);
      if (units.done.length === 1) throw new Error('fails');
    };
    const app = await start({ queue: 'fails', team: { claim: (team) => units.claim(team), work } });
    await app.addFor(['a']);
    await units.until(3);
  });

  it('are added after a unit that failed was given back, so that the next job claims it', async () => {
    units = new Units();
    units.add('a', 1);
    const begun: string[] = [];
    const work = async (unit: string) => {
      if (begun.push(unit) === 1) throw new Error('fails');
      await units.work(unit);
    };
    const release = async (unit: string) => {
      // A job that was added before ends by then, without a unit.
      for (let left = 2; left > 1;) {
        const { waiting, active } = await app.counts();
        left = waiting + active;
      }
      units.add(unit, 1);
    };
    const app = await start({
      queue: 'given-back',
      concurrency: 2,
      team: { claim: (team) => units.claim(team), work, release },
    });
    await app.addFor(['a']);
    await units.until(1);
    expect(begun).toEqual(['a', 'a']);
  });
});
