import { NestFactory } from '@nestjs/core';
import type { ModuleRef } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ApiModule } from '../api.module.js';
import { migrate } from '../platform/database/migrate.js';
import { withDatabase } from './database.js';

/** Hands out a service by its class. */
export type Services = <T>(service: Type<T>) => T;

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
