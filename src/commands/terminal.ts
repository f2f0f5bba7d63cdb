import { NestFactory } from '@nestjs/core';
import type { ModuleRef } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ApiModule } from '../api.module.js';
import { readConfig, type Config } from '../platform/config/config.js';
import { migrate } from '../platform/database/migrate.js';
import { barePlatform, openPlatform, type OpenPlatform } from '../platform/open-platform.js';
import type { Platform } from '../platform/platform.module.js';
import { createLog } from '../platform/telemetry/log.js';
import { SCHEMAS } from '../schema.js';

/** The command was understood and asks for something that is not there. */
export class UsageError extends Error {}

/** Every command that answers takes it. */
export interface Format {
  json?: true;
}

/** Hands out a service by its class. */
export type Services = <T>(service: Type<T>) => T;

/** As the environment says, but quiet: a person at the terminal wants the answer; faults are still told. */
export function terminalConfig(): Config {
  return { ...readConfig(), logLevel: 'error' };
}

/** Faults are told on standard error: standard output is the answer's. */
export function terminalPlatform(): Platform {
  const config = terminalConfig();
  return { ...barePlatform(config), log: createLog(config.logLevel, process.stderr) };
}

/** Finds the database as the service does: `DATABASE_URL`, or the embedded one, also while the service runs on it. */
export async function withDatabase(work: (platform: OpenPlatform) => Promise<void>): Promise<void> {
  const platform = await openPlatform(terminalPlatform(), SCHEMAS);
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
}

/** The services of the API on that database, brought up to date. */
export function withServices(work: (services: Services) => Promise<void>): Promise<void> {
  return withDatabase(async (platform) => {
    await migrate(platform.dataSource);
    const root = ApiModule.on(platform);
    const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    try {
      await work((service) => (context as Pick<ModuleRef, 'get'>).get(service, { strict: false }));
    } finally {
      await context.close();
    }
  });
}

export function print({ json }: Format, value: unknown, words: () => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : words()}\n`);
}
