import { NestFactory } from '@nestjs/core';
import type { ModuleRef } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ApiModule } from '../api.module.js';
import { isMigrated, migrate } from '../platform/database/migrate.js';
import type { OpenPlatform } from '../platform/open-platform.js';
import { withDatabase } from './database.js';

/** Hands out a service by its class. */
export type Services = <T>(service: Type<T>) => T;

type Work = (services: Services) => Promise<void>;

/**
 * The services of the API on that database. They do not migrate it: older processes may still serve on it.
 *
 * @throws Error that says what to run when migrations are missing.
 */
export function withServices(work: Work): Promise<void> {
  return withServicesAfter(async ({ dataSource }) => {
    if (await isMigrated(dataSource)) return;
    throw new Error(
      'the database lacks migrations; run `npx --no rcpt migrate`, or start an API process, which runs them too',
    );
  }, work);
}

/** The same on a database that is brought up to date first. */
export function withMigratedServices(work: Work): Promise<void> {
  return withServicesAfter(({ dataSource }) => migrate(dataSource), work);
}

function withServicesAfter(prepare: (platform: OpenPlatform) => Promise<void>, work: Work): Promise<void> {
  return withDatabase(async (platform) => {
    await prepare(platform);
    const root = ApiModule.on(platform);
    const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    try {
      await work((service) => (context as Pick<ModuleRef, 'get'>).get(service, { strict: false }));
    } finally {
      await context.close();
    }
  });
}
