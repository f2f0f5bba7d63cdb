import type { DataSource } from 'typeorm';
import type { Principal } from '../../../src/kernel/principal.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { TiersService } from '../../../src/modules/identity/tiers/tiers.service.js';
import { PostgresUsageRepository } from '../../../src/modules/identity/usage/adapters/postgres-usage.repository.js';
import type { ChargeableVerdict } from '../../../src/modules/identity/usage/domain/charge.js';
import { UsageService } from '../../../src/modules/identity/usage/usage.service.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { Outbox } from '../../../src/platform/database/outbox/outbox.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { PrometheusMeter } from '../../../src/platform/telemetry/prometheus-meter.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { OutboxRowSchema } from '../../../src/platform/database/outbox/postgres-outbox.schema.js';

/** The usage module of one process, with a real database. */
export interface UsageParts {
  usage: UsageService;
  work: PostgresUnitOfWork;
  dataSource: DataSource;
  /** Number of queries so far. */
  queryCount(): number;
  close(): Promise<void>;
}

/** @param limits units a day by tier name. */
export async function usageOn(
  url: string,
  limits: Record<string, number | null>,
  clock: Clock = new SystemClock(),
): Promise<UsageParts> {
  const dataSource = await createDataSource(url, [OutboxRowSchema], 5).initialize();
  let asked = 0;
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    asked++;
    return createQueryRunner(mode);
  };
  const work = new PostgresUnitOfWork(dataSource);
  const repository = new PostgresUsageRepository(work, clock);
  const tiers = new TiersService(Object.entries(limits).map(([name, perDay]) => tierOf(name, perDay)));
  return {
    usage: new UsageService(
      repository,
      tiers,
      new Outbox(work, clock),
      work,
      clock,
      new PrometheusMeter(clock),
    ),
    work,
    dataSource,
    queryCount: () => asked,
    close: () => dataSource.destroy(),
  };
}

export function aCaller(tier: string, more: Partial<Principal> = {}): Principal {
  return {
    keyId: 'key_1',
    mode: 'live',
    teamId: 'team_1',
    userId: 'usr_1',
    role: 'owner',
    expiresAt: null,
    scopes: ['all'],
    allowedCidrs: null,
    publishable: null,
    tier,
    rules: { roleIsRisky: false, retentionDays: 7 },
    ...more,
  };
}

/** With a publishable key of the team. */
export function aPage(tier: string): Principal {
  const rules = { allowedOrigins: [], perAddress: { perMinute: 10, perDay: 100 }, perDay: 1_000 };
  return aCaller(tier, { keyId: 'key_page', publishable: rules });
}

export const PAID: ChargeableVerdict = { kind: 'single', status: 'deliverable', free: false };
export const FREE: ChargeableVerdict = { kind: 'single', status: 'unknown', free: true };

function tierOf(name: string, perDay: number | null) {
  return {
    name,
    perDay,
    rate: null,
    verify: true,
    refresh: true,
    minMaxAge: 0,
    domains: true,
    bulkLimit: 1_000,
    schedules: false,
    retentionDays: 7,
  };
}
