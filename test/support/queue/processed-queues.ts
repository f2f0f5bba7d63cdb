import { WorkerHost } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** The queue of each processor in the application. */
export function processedQueues(app: INestApplicationContext): string[] {
  const providers = app.get(DiscoveryService, { strict: false }).getProviders();
  return providers
    .filter(({ instance }) => instance instanceof WorkerHost)
    .map(({ metatype }) => Reflect.getMetadata('bullmq:processor_metadata', metatype!) as { name: string })
    .map(({ name }) => name);
}
