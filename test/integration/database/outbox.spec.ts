import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import * as outboxes from '../../../src/platform/database/outbox/outbox.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { OutboxRowSchema } from '../../../src/platform/database/outbox/postgres-outbox.schema.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';

type Quota = 'quota.warning' | 'quota.exceeded';
type Subscriber = outboxes.Subscriber<Quota>;

const { Outbox } = outboxes;

describe('the outbox', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;
  let outbox: outboxes.Outbox;
  let clock: AdjustableClock;
  let heard: outboxes.PublishedEvent<Quota>[];
  let failures: outboxes.PublishedEvent[];

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, [OutboxRowSchema]).initialize();
    await migrate(dataSource);
    await dataSource.query('CREATE TABLE effects (id serial PRIMARY KEY, event text NOT NULL)');
    work = new PostgresUnitOfWork(dataSource);
    clock = new AdjustableClock();
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

  const dayWith = (used: number) => ({ mode: 'live' as const, date: '2026-11-21', limit: 1000, used });
  const publish = (n = 1, type: Quota = 'quota.warning') => {
    clock.advance(1);
    return outbox.publish({ type, teamId: 'team_1', data: dayWith(n) });
  };
  const hear: Subscriber = async (event) => void heard.push(event);
  const fail: Subscriber = async () => {
    throw new Error('not now');
  };
  const relay = (...warned: Subscriber[]) => relayTo({ warned });
  const relayTo = (subscribers: Partial<Record<'warned' | 'exceeded', Subscriber[]>>, unit = work) => {
    const subscribed = new Outbox(unit, clock);
    for (const subscriber of subscribers.warned ?? []) subscribed.subscribe('quota.warning', subscriber);
    for (const subscriber of subscribers.exceeded ?? []) subscribed.subscribe('quota.exceeded', subscriber);
    return subscribed.relay((event) => failures.push(event));
  };
  const numbers = () => heard.map(({ data }) => data.used);
  /** The backoff uses the database's time, which a test cannot change. */
  const passTime = () => dataSource.query('UPDATE outbox SET due_at = now() WHERE dispatched_at IS NULL');

  it('dispatches committed events completely, in order and once', async () => {
    for (const n of [1, 2, 3]) await publish(n);
    expect(await relay(hear)).toBe(3);
    expect(await relay(hear)).toBe(0);
    expect(numbers()).toEqual([1, 2, 3]);
    expect(heard[0]).toMatchObject({ type: 'quota.warning', teamId: 'team_1', data: dayWith(1) });
    expect(heard[0]?.id).toMatch(/^evt_/);
    expect(heard[0]?.occurredAt).toBeInstanceOf(Date);
  });

  it('dispatches nothing that was rolled back, and nothing before the commit', async () => {
    const undone = work.run(async () => {
      await publish();
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await work.run(async () => {
      await publish(2);
      expect(await relayTo({ warned: [hear] }, new PostgresUnitOfWork(dataSource))).toBe(0);
    });
    await relay(hear);
    expect(numbers()).toEqual([2]);
  });

  it('retries an event with the same id when a listener fails, and delays no other', async () => {
    await publish(1);
    await publish(2, 'quota.exceeded');
    const both = (first: Subscriber) => relayTo({ warned: [first], exceeded: [hear] });
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

  it('rolls back the writes of listeners when another one fails', async () => {
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

  it('takes back what a listener that failed wanted to do after the commit, and no more', async () => {
    await publish(1);
    await publish(2);
    const done: number[] = [];
    const later: Subscriber = async ({ data }) => work.afterCommit(() => void done.push(data.used));
    const failFirst: Subscriber = async (event) => (event.data.used === 1 ? fail(event) : undefined);
    await relay(later, failFirst);
    expect(done).toEqual([2]);
  });

  it('dispatches each event once with any number of relays', async () => {
    for (let n = 0; n < 120; n++) await publish(n);
    const relays = Array.from({ length: 4 }, () =>
      relayTo({ warned: [hear] }, new PostgresUnitOfWork(dataSource)),
    );
    const told = await Promise.all(relays);
    expect(told.reduce((sum, count) => sum + count)).toBe(120);
    expect(new Set(numbers()).size).toBe(120);
    expect(heard).toHaveLength(120);
  });

  it('accepts only the payload of its type, checked by the compiler', async () => {
    const teamId = 'team_1';
    // @ts-expect-error: no such event.
    void (() => outbox.publish({ type: 'thing.done', teamId, data: {} }));
    // @ts-expect-error: a member is missing.
    void (() => outbox.publish({ type: 'verification.completed', teamId, data: { check_id: 'chk_1' } }));
    // @ts-expect-error: a member of another event.
    void (() => outbox.publish({ type: 'team.deleted', teamId, data: dayWith(1) }));
    const subscribed = new Outbox(work, clock);
    // @ts-expect-error: the subscriber of another event.
    subscribed.subscribe('team.deleted', hear);
    subscribed.subscribe('quota.warning', hear);
    await publish();
    await subscribed.relay(() => undefined);
    expect(numbers()).toEqual([1]);
  });

  it('marks events without a listener as dispatched', async () => {
    await publish(1, 'quota.exceeded');
    expect(await relay(hear)).toBe(1);
    expect(await relay(hear)).toBe(0);
  });
});
