import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import {
  EventSubscribers,
  type PublishedEvent,
  type Subscriber,
} from '../../src/platform/database/event-subscribers.js';
import { Outbox } from '../../src/platform/database/outbox.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { aFreshDatabase } from '../support/fresh-database.js';
import { TurnableClock } from '../support/turnable-clock.js';

describe('the outbox', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;
  let outbox: Outbox;
  let clock: TurnableClock;
  let heard: PublishedEvent[];
  let failures: PublishedEvent[];

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, []).initialize();
    await migrate(dataSource);
    await dataSource.query('CREATE TABLE effects (id serial PRIMARY KEY, event text NOT NULL)');
    work = new PostgresUnitOfWork(dataSource);
    clock = new TurnableClock();
    outbox = new Outbox(work, clock);
  });
  beforeEach(async () => {
    await dataSource.query('TRUNCATE outbox, effects');
    heard = [];
    failures = [];
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const publish = (n = 1, type = 'thing.done') => {
    clock.advance(1);
    return outbox.publish({ type, teamId: 'team_1', data: { n } });
  };
  const hear: Subscriber = async (event) => void heard.push(event);
  const fail: Subscriber = async () => {
    throw new Error('not now');
  };
  const subscribers = (...all: [type: string, subscriber: Subscriber][]) => {
    const made = new EventSubscribers();
    for (const [type, subscriber] of all) made.subscribe(type, subscriber);
    return made;
  };
  const relay = (...of: Subscriber[]) =>
    outbox.relay(subscribers(...of.map((each) => ['thing.done', each] as [string, Subscriber])), (event) =>
      failures.push(event),
    );
  const numbers = () => heard.map(({ data }) => data.n);
  /** The back-off is the database's time, which no test can turn. */
  const passTime = () => dataSource.query('UPDATE outbox SET due_at = now() WHERE told_at IS NULL');

  it('tells what was committed, whole and in order, once', async () => {
    for (const n of [1, 2, 3]) await publish(n);
    expect(await relay(hear)).toBe(3);
    expect(await relay(hear)).toBe(0);
    expect(numbers()).toEqual([1, 2, 3]);
    expect(heard[0]).toMatchObject({ type: 'thing.done', teamId: 'team_1', data: { n: 1 } });
    expect(heard[0]?.id).toMatch(/^evt_/);
    expect(heard[0]?.occurredAt).toBeInstanceOf(Date);
  });

  it('tells nothing of what was rolled back, and nothing before it is committed', async () => {
    const undone = work.run(async () => {
      await publish();
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await work.run(async () => {
      await publish(2);
      const other = new Outbox(new PostgresUnitOfWork(dataSource), clock);
      expect(await other.relay(subscribers(['thing.done', hear]), () => undefined)).toBe(0);
    });
    await relay(hear);
    expect(numbers()).toEqual([2]);
  });

  it('an event that a listener cannot take comes round later with the same id, and holds up no other', async () => {
    await publish(1);
    await publish(2, 'other.thing');
    const both = (first: Subscriber) =>
      outbox.relay(subscribers(['thing.done', first], ['other.thing', hear]), (event) =>
        failures.push(event),
      );
    expect(await both(fail)).toBe(1);
    expect(numbers()).toEqual([2]);
    expect(await both(hear)).toBe(0);
    await passTime();
    expect(await both(hear)).toBe(1);
    expect(heard.at(-1)?.id).toBe(failures[0]?.id);
  });

  it('waits longer after every failure, up to an hour', async () => {
    await publish();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      await passTime();
      await relay(fail);
      const [row] = await dataSource.query<{ pause: number }[]>(
        'SELECT round(extract(epoch FROM due_at - now()))::int AS pause FROM outbox',
      );
      pauses.push(row?.pause ?? 0);
    }
    expect(pauses.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(pauses.at(-1)).toBe(3600);
  });

  it('what a listener wrote before another one failed is undone with it', async () => {
    await publish();
    const write: Subscriber = async ({ id }) => {
      await work.manager.query('INSERT INTO effects (event) VALUES ($1)', [id]);
    };
    await relay(write, fail);
    expect(await dataSource.query('SELECT event FROM effects')).toEqual([]);
    await passTime();
    await relay(write, hear);
    expect(await dataSource.query('SELECT event FROM effects')).toEqual([{ event: heard[0]?.id }]);
  });

  it('any number of relays at once tell each event once', async () => {
    for (let n = 0; n < 120; n++) await publish(n);
    const relays = Array.from({ length: 4 }, () => new Outbox(new PostgresUnitOfWork(dataSource), clock));
    const told = await Promise.all(
      relays.map((each) => each.relay(subscribers(['thing.done', hear]), () => undefined)),
    );
    expect(told.reduce((sum, count) => sum + count)).toBe(120);
    expect(new Set(numbers()).size).toBe(120);
    expect(heard).toHaveLength(120);
  });

  it('news that nobody listens to counts as told', async () => {
    await publish(1, 'nobody.cares');
    expect(await relay(hear)).toBe(1);
    expect(await relay(hear)).toBe(0);
  });
});
