import { NestFactory } from '@nestjs/core';
import { ApiModule } from './api.module.js';
import { describe } from './describe.js';
import type { Status } from './kernel/verdict.js';
import { AccountsService } from './modules/accounts/accounts.service.js';
import { TiersService } from './modules/tiers/tiers.service.js';
import { parseEmailAddress } from './modules/verification/domain/email-address.js';
import { EngineModule } from './modules/verification/engine.module.js';
import { EngineService } from './modules/verification/engine.service.js';
import { toResponse } from './modules/verification/verification.dto.js';
import { readConfig, type Config } from './platform/config/config.js';
import { migrate } from './platform/database/migrate.js';
import { barePlatform, openPlatform, type OpenPlatform } from './platform/open-platform.js';
import { PlatformModule } from './platform/platform.module.js';
import { SCHEMAS } from './schema.js';

/** The command was understood and asks for something that is not there. */
export class UsageError extends Error {}

const EXIT_CODES: Readonly<Record<Status, number>> = {
  deliverable: 0,
  undeliverable: 1,
  risky: 2,
  unknown: 3,
};

export async function verifyAddress(email: string, options: { json?: true; timeout: number }): Promise<void> {
  const platform = barePlatform(quiet(readConfig()));
  const root = { module: EngineModule, imports: [PlatformModule.of(platform)] };
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  const verdict = await context
    .get(EngineService)
    .check(email, options.timeout * 1000, { roleIsRisky: false });
  await context.close();
  print(options.json === true, toResponse(verdict), () => describe(verdict));
  process.exitCode = EXIT_CODES[verdict.status];
}

export async function migrateDatabase(options: { json?: true }): Promise<void> {
  await withDatabase(async ({ dataSource }) => {
    await migrate(dataSource);
    print(options.json === true, { migrated: true }, () => 'The database is up to date.');
  });
}

export async function createAccount(options: {
  email: string;
  team: string;
  tier: string;
  json?: true;
}): Promise<void> {
  if (!parseEmailAddress(options.email).ok) throw new UsageError('--email must be an address');
  await withDatabase(async (platform) => {
    await migrate(platform.dataSource);
    const root = ApiModule.on(platform);
    const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    const names = context.get(TiersService, { strict: false }).names();
    if (!names.includes(options.tier)) throw new UsageError(`--tier must be one of ${names.join(', ')}`);
    const accounts = context.get(AccountsService, { strict: false });
    const { user, team, liveKey, testKey } = await accounts.create(options.email, options.team, options.tier);
    print(options.json === true, { user, team, live_key: liveKey, test_key: testKey }, () =>
      [
        `team       ${team.name} (${team.id}), tier ${team.tier}`,
        `owner      ${user.email} (${user.id})`,
        `live key   ${liveKey}`,
        `test key   ${testKey}`,
        'The keys are shown now and never again.',
      ].join('\n'),
    );
  });
}

/** Finds the database as the service does: `DATABASE_URL`, or the embedded one, also while the service runs on it. */
async function withDatabase(work: (platform: OpenPlatform) => Promise<void>): Promise<void> {
  const platform = await openPlatform(barePlatform(quiet(readConfig())), SCHEMAS);
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
}

/** A person at the terminal wants the answer; faults are still told. */
function quiet(config: Config): Config {
  return { ...config, logLevel: 'error' };
}

function print(json: boolean, value: unknown, words: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : words()}\n`);
}
