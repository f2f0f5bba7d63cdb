import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { PostgresPublishableStore } from '../../../src/modules/identity/publishable-keys/adapters/postgres-publishable-store.js';
import { PublishableKeysService } from '../../../src/modules/identity/publishable-keys/publishable-keys.service.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { PrometheusMeter } from '../../../src/platform/telemetry/prometheus-meter.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { aFixedTimeDatabase, type FixedTimeDatabase } from '../../support/database/fixed-time-database.js';

const NOON = '2031-12-31T12:00:20Z';
const RULES = { perAddress: { perMinute: 10, perDay: 15 }, perDay: 40 };

/** Two processes, each with its own pool and clock, on a database whose time stands still. */
describe('the counters of publishable keys in two processes', () => {
  const secret = randomBytes(32).toString('base64');
  const clock = new AdjustableClock();
  const sources: DataSource[] = [];
  let database: FixedTimeDatabase;
  let stores: PostgresPublishableStore[];
  let services: PublishableKeysService[];
  let statements = 0;
  let keys = 0;

  beforeAll(async () => {
    database = await aFixedTimeDatabase(NOON);
    for (let n = 0; n < 2; n++) sources.push(await createDataSource(database.url, [], 4).initialize());
    await migrate(sources[0]!);
    stores = sources.map((source) => {
      const query = source.manager.query.bind(source.manager);
      source.manager.query = (...args: Parameters<typeof query>) => ((statements += 1), query(...args));
      return new PostgresPublishableStore(new PostgresUnitOfWork(source), new SecretKeys([secret]), clock);
    });
    services = stores.map((store) => new PublishableKeysService(store, new PrometheusMeter(clock)));
  });
  afterAll(async () => {
    await Promise.all(sources.map((source) => source.destroy()));
    await database.drop();
  });

  const aKey = () => `key_${(keys += 1)}`;
  const store = (n: number) => stores[n % stores.length]!;
  const at = async (moment: string) => {
    await database.standAt(moment);
    // The cached refusals of the processes have expired too.
    clock.advance(2 * 86_400_000);
  };
  const sendOne = (n: number, key: string, client: string) =>
    services[n % services.length]!.consumeRequest({ keyId: key, teamId: `team of ${key}` }, RULES, client);
  const send = async (key: string, clients: readonly string[], times: number) => {
    const sent = Array.from({ length: times }, (_, n) => sendOne(n, key, clients[n % clients.length] ?? ''));
    const refusals = (await Promise.all(sent)).map(({ refusedBy }) => refusedBy);
    return {
      allowed: refusals.filter((refusal) => refusal === null).length,
      by: [...new Set(refusals.filter((refusal) => refusal !== null))].sort(),
    };
  };
  const ask = async (key: string, clients: readonly string[], times: number, perKey: number | null) => {
    const asked = Array.from({ length: times }, (_, n) => {
      const client = clients[n % clients.length] ?? '';
      const address = { key, client, domain: 'corp.example', address: `a${n}@corp.example` };
      return store(n).consumeAddress(address, { perClient: 10, perKey });
    });
    return (await Promise.all(asked)).filter(Boolean).length;
  };
  const clientsOf = (count: number) => Array.from({ length: count }, (_, n) => `198.51.100.${n}`);

  it('allow a client exactly its requests of a minute and of a day, under concurrency', async () => {
    await at('2031-12-31T12:00:20Z');
    const key = aKey();
    expect(await send(key, ['one'], 40)).toEqual({ allowed: 10, by: ['client_minute'] });
    expect(await send(key, ['two'], 3)).toEqual({ allowed: 3, by: [] });
    await at('2031-12-31T12:01:00Z');
    expect(await send(key, ['one'], 40)).toEqual({ allowed: 5, by: ['client_day'] });
  });

  it('allow all clients together exactly the requests of the key, and start again at midnight UTC', async () => {
    await at('2031-12-31T23:59:59.999999Z');
    const key = aKey();
    expect(await send(key, clientsOf(60), 120)).toEqual({ allowed: 40, by: ['key_day'] });
    await at('2032-01-01T00:00:00Z');
    expect(await send(key, clientsOf(10), 80)).toEqual({ allowed: 40, by: ['key_day'] });
  });

  it('say how long a window lasts', async () => {
    await at('2031-12-31T22:58:30Z');
    const decision = await sendOne(0, aKey(), 'one');
    expect(decision).toEqual({
      refusedBy: null,
      minute: { remaining: 9, secondsLeft: 30 },
      day: { remaining: 14, secondsLeft: 3_690 },
    });
  });

  it('cost no statement while a refusal lasts', async () => {
    await at('2031-12-31T12:00:30Z');
    const key = aKey();
    await send(key, ['one'], 12);
    await send(key, ['one'], 2);
    const before = statements;
    expect(await send(key, ['one'], 50)).toEqual({ allowed: 0, by: ['client_minute'] });
    expect(statements).toBe(before);
    clock.advance(29_000);
    expect((await sendOne(0, key, 'one')).minute.secondsLeft).toBeCloseTo(1, 1);
    expect(statements).toBe(before);
  });

  it('answer ten addresses of a domain for a client and twenty for a key, under concurrency', async () => {
    await at(NOON);
    const key = aKey();
    expect(await ask(key, ['one'], 200, 20)).toBe(10);
    expect(await ask(aKey(), clientsOf(50), 1_000, 20)).toBe(20);
    // A mailbox provider: each client for itself.
    expect(await ask(aKey(), clientsOf(5), 200, null)).toBe(50);
  });

  it('answer an address again, and others after 24 hours', async () => {
    await at('2031-12-31T12:00:00Z');
    const key = aKey();
    expect(await ask(key, ['one'], 10, 20)).toBe(10);
    expect(await ask(key, ['one'], 10, 20)).toBe(10);
    await at('2032-01-01T11:59:59Z');
    expect(await ask(key, ['one'], 11, 20)).toBe(10);
    await at('2032-01-01T12:00:00Z');
    const asked = { key, client: 'one', domain: 'corp.example', address: 'new@corp.example' };
    expect(await store(1).consumeAddress(asked, { perClient: 10, perKey: 20 })).toBe(true);
  });

  it('are deleted when no limit needs them', async () => {
    await at('2032-01-10T00:00:00Z');
    const key = aKey();
    await send(key, ['one'], 1);
    await ask(key, ['one'], 1, 20);
    expect(await store(0).deleteExpired()).toBeGreaterThan(50);
    const count =
      'SELECT (SELECT count(*) FROM publishable_requests)::int AS r, (SELECT count(*) FROM publishable_addresses)::int AS a';
    expect(await sources[0]!.query(count)).toEqual([{ r: 2, a: 2 }]);
  });
});
