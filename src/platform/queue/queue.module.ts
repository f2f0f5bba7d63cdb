import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { JobQueue } from '../../kernel/job-queue.js';
import { Meter } from '../../kernel/meter.js';
import { HealthRegistry } from '../../kernel/health-registry.js';
import { Config } from '../config/config.js';
import { Log } from '../telemetry/log.js';
import { BullJobQueue } from './bull-job-queue.js';
import { DataSource } from 'typeorm';
import { PostgresQueueBackend } from './postgres-queue-backend.js';
import { QueueConsumers } from './queue-consumers.js';

const QUEUE_NAMES = Symbol('queue names');

/** BullMQ: on Redis where `REDIS_URL` is set, else on PostgreSQL. */
@Global()
@Module({})
export class QueueModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly queue: BullJobQueue,
    private readonly meter: Meter,
    @Inject(QUEUE_NAMES) private readonly names: readonly string[],
  ) {}

  /** @param names of every queue, for the metrics. */
  static forRoot(names: readonly string[]): DynamicModule {
    return {
      module: QueueModule,
      providers: [
        { provide: QUEUE_NAMES, useValue: names },
        {
          provide: BullJobQueue,
          useFactory: async (
            config: Config,
            dataSource: DataSource,
            clock: Clock,
            log: Log,
            health: HealthRegistry,
          ) => {
            const { redisUrl } = config;
            if (redisUrl === null) {
              const { url = '' } = dataSource.options as { url?: string };
              return new BullJobQueue(new PostgresQueueBackend(url), clock, log);
            }
            const { RedisQueueBackend } = await import('./redis-queue-backend.js');
            return new BullJobQueue(new RedisQueueBackend(redisUrl, health, log), clock, log);
          },
          inject: [Config, DataSource, Clock, Log, HealthRegistry],
        },
        { provide: JobQueue, useExisting: BullJobQueue },
        QueueConsumers,
      ],
      exports: [JobQueue, BullJobQueue, QueueConsumers],
    };
  }

  async onModuleInit(): Promise<void> {
    for (const name of this.names) {
      const counts = shared(() => this.queue.counts(name));
      const labels = [name];
      this.meter.gauge('rcpt_queue_waiting', async () => [{ labels, value: (await counts()).waiting }]);
      this.meter.gauge('rcpt_queue_active', async () => [{ labels, value: (await counts()).active }]);
      this.meter.gauge('rcpt_queue_oldest_seconds', async () => [
        { labels, value: (await counts()).oldestWaitingSeconds ?? 0 },
      ]);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}

/** Calls that overlap share one answer. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => (underWay ??= ask().finally(() => (underWay = null)));
}
