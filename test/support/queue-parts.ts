import type { Clock } from '../../src/kernel/clock.js';
import { HealthRegistry } from '../../src/kernel/health-registry.js';
import { BullJobQueue, type Pace } from '../../src/platform/queue/bull-job-queue.js';
import { PostgresQueueBackend } from '../../src/platform/queue/postgres-queue-backend.js';
import { RedisQueueBackend } from '../../src/platform/queue/redis-queue-backend.js';
import type { Log } from '../../src/platform/telemetry/log.js';

/** A queue to be made: `redis:` or `postgresql:`, as the URL says. */
export interface QueueOrder {
  readonly url: string;
  readonly pace?: Pace;
}

export function aQueue(
  { url, pace }: QueueOrder,
  log: Log,
  clock: Clock,
  health = new HealthRegistry(),
): BullJobQueue {
  const backend = url.startsWith('redis')
    ? new RedisQueueBackend(url, health, log)
    : new PostgresQueueBackend(url);
  return new BullJobQueue(backend, clock, log, pace);
}
