import type { Clock } from '../../../src/kernel/clock.js';
import { HealthRegistry } from '../../../src/kernel/service-state/health-registry.js';
import { PostgresQueueBackend } from '../../../src/platform/queue/postgres-queue-backend.js';
import type { QueueBackend } from '../../../src/platform/queue/queue-backend.js';
import { RedisQueueBackend, type ProducerTimeouts } from '../../../src/platform/queue/redis-queue-backend.js';
import type { Log } from '../../../src/platform/telemetry/log.js';

/** Options of a worker with which the jobs of a killed worker are found quickly. */
export interface Pace {
  lockDuration: number;
  stalledInterval: number;
}

/** @param url `redis:` or `postgresql:` */
export async function aBackend(
  url: string,
  log: Log,
  clock: Clock,
  health = new HealthRegistry(),
  timeouts?: ProducerTimeouts,
): Promise<QueueBackend> {
  if (!url.startsWith('redis')) return new PostgresQueueBackend(url, log, clock);
  const backend = new RedisQueueBackend(url, health, log, clock, timeouts);
  await backend.open();
  return backend;
}
