import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../platform/config/config.module.js';
import type { MigrationPolicy } from '../platform/database/connected-data-source.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { TelemetryModule } from '../platform/telemetry/telemetry.module.js';
import { ScheduledTasksModule } from '../platform/time/scheduled-tasks.module.js';
import { TimeModule } from '../platform/time/time.module.js';
import { SCHEMAS } from '../schema.js';

/** Gets a service by its class. */
export type Services = <T>(service: Type<T>) => T;

const ROLES = { api: false, worker: false };
const BASE = () => [ConfigModule.forRoles(ROLES), TimeModule, TelemetryModule.forCommandLine()];

@Module({})
class CommandModule {}

/** Runs a command on modules that need no database. */
export function withModules<T>(
  modules: readonly Type[],
  run: (services: Services) => Promise<T>,
): Promise<T> {
  return runInContext([...BASE(), ...modules], run);
}

/**
 * Runs a command on modules with a database: that of `DATABASE_URL`, or the embedded one, also while
 * the service uses it.
 */
export function withDatabase<T>(
  modules: readonly (Type | DynamicModule)[],
  run: (services: Services) => Promise<T>,
  migrations: MigrationPolicy = 'require',
): Promise<T> {
  const database = [
    DatabaseModule.forRoot(SCHEMAS, migrations),
    MailModule,
    HttpModule,
    ScheduledTasksModule,
  ];
  return runInContext([...BASE(), ...database, ...modules], run);
}

async function runInContext<T>(
  imports: NonNullable<ModuleMetadata['imports']>,
  run: (services: Services) => Promise<T>,
): Promise<T> {
  const root = { module: CommandModule, imports };
  const context = await NestFactory.createApplicationContext(root, {
    logger: false,
    abortOnError: false,
  });
  try {
    return await run((service) => context.get(service));
  } finally {
    await context.close();
  }
}
