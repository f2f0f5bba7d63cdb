import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { TeamId } from '../../../src/kernel/principal.js';
import { PostgresAddressFactsRepository } from '../../../src/modules/verification/verification/adapters/postgres-address-facts.repository.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { aRoute } from '../../support/verification/evidence.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';

const TEAM = 'team_facts' as TeamId;
const KEY = 'jane@corp.test';
const DAY_MS = 86_400_000;
/** Longer than a process caches facts. */
const FORGOTTEN_MS = 5_000;

describe('the cache of facts about an address', () => {
  const keys = new SecretKeys([Buffer.alloc(32, 7).toString('base64')]);
  const clock = new AdjustableClock();
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let work: PostgresUnitOfWork;
  let own: PostgresAddressFactsRepository;
  let others: PostgresAddressFactsRepository;
  let asked: number;

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, [], 2).initialize();
    await migrate(dataSource);
    const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (mode) => {
      asked++;
      return createQueryRunner(mode);
    };
    await dataSource.query(
      `INSERT INTO teams (id, name, base_tier, created_at) VALUES ($1, 't', 'free', now())`,
      [TEAM],
    );
  });
  beforeEach(async () => {
    await dataSource.query('TRUNCATE address_facts');
    work = new PostgresUnitOfWork(dataSource);
    own = new PostgresAddressFactsRepository(work, keys, clock);
    others = new PostgresAddressFactsRepository(work, keys, clock);
    asked = 0;
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const keep = (by: PostgresAddressFactsRepository, host: string, forMs = DAY_MS) => {
    const facts = { route: aRoute(host), probe: null, catchAll: 'no' as const };
    const observedAt = clock.now();
    const expiresAt = new Date(observedAt.getTime() + forMs);
    return by.save(TEAM, [{ key: KEY, facts, observedAt, expiresAt }]);
  };
  const hostKnownTo = async (process: PostgresAddressFactsRepository) => {
    const kept = await process.find(TEAM, KEY, clock.now());
    return kept?.facts.route.kind === 'hosts' ? kept.facts.route.hosts[0]?.host : undefined;
  };

  it('needs one query for many calls', async () => {
    await keep(own, 'mx.one');
    expect(await hostKnownTo(own)).toBe('mx.one');
    asked = 0;
    for (let question = 0; question < 20; question++) expect(await hostKnownTo(own)).toBe('mx.one');
    expect(asked).toBe(0);
  });

  it('is updated at once by this process', async () => {
    await keep(own, 'mx.one');
    expect(await hostKnownTo(own)).toBe('mx.one');
    await keep(own, 'mx.two');
    expect(await hostKnownTo(own)).toBe('mx.two');
  });

  it('is updated when the unit of work commits, and not when it is rolled back', async () => {
    await keep(own, 'mx.one');
    const undone = work.run(async () => {
      await keep(own, 'mx.two');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await hostKnownTo(own)).toBe('mx.one');
    await work.run(() => keep(own, 'mx.two'));
    expect(await hostKnownTo(own)).toBe('mx.two');
  });

  it('is cleared at once when this process deletes them', async () => {
    await keep(own, 'mx.one');
    expect(await hostKnownTo(own)).toBe('mx.one');
    await own.deleteUntil(TEAM, [keys.hashAddress(KEY)], clock.now());
    expect(await hostKnownTo(own)).toBeUndefined();
  });

  it('sees deletions of other processes within 5 s', async () => {
    await keep(own, 'mx.one');
    expect(await hostKnownTo(others)).toBe('mx.one');
    await own.deleteUntil(TEAM, [keys.hashAddress(KEY)], clock.now());
    clock.advance(FORGOTTEN_MS);
    expect(await hostKnownTo(others)).toBeUndefined();
  });

  it('does not cache the absence of facts: those of another process are found at once', async () => {
    expect(await hostKnownTo(own)).toBeUndefined();
    await keep(others, 'mx.one');
    expect(await hostKnownTo(own)).toBe('mx.one');
  });

  it('serves no expired facts', async () => {
    await keep(own, 'mx.one', 1_000);
    expect(await hostKnownTo(own)).toBe('mx.one');
    clock.advance(1_000);
    expect(await hostKnownTo(own)).toBeUndefined();
  });

  it('is separate per team', async () => {
    await keep(own, 'mx.one');
    expect(await hostKnownTo(own)).toBe('mx.one');
    expect(await own.find('team_other', KEY, clock.now())).toBeNull();
  });
});
