import { Module, type Abstract, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../platform/config/config.module.js';
import { TelemetryModule } from '../platform/telemetry/telemetry.module.js';
import { TimeModule } from '../platform/time/time.module.js';
import { CommandLog } from './command-log.js';

export type Services = <T>(service: Type<T> | Abstract<T>) => T;

const ROLES = { api: false, worker: false };

@Module({})
class CommandModule {}

/** Runs a command on these modules. A command that needs a database uses `withDatabase`. */
export async function withModules<T>(
  modules: readonly (Type | DynamicModule)[],
  run: (services: Services) => Promise<T>,
): Promise<T> {
  const telemetry = TelemetryModule.forRoot(() => new CommandLog());
  const imports = [ConfigModule.forRoles(ROLES), TimeModule, telemetry, ...modules];
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
