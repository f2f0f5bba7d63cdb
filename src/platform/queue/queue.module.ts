import { BullModule, BullRegistrar, getQueueToken } from '@nestjs/bullmq';
import {
  Global,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Queue, QueueOptions } from 'bullmq';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { HealthRegistry } from '../../kernel/service-state/health-registry.js';
import { Lifecycle } from '../../kernel/service-state/lifecycle.js';
import { Meter } from '../../kernel/meter.js';
import { Pause } from '../../kernel/service-state/pause.js';
import type { TeamJobs } from '../../kernel/queue/team-jobs.js';
import { QueueStates } from '../../kernel/service-state/queue-states.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Config } from '../config/config.js';
import { ProcessRoles } from '../config/process-roles.js';
import { Log } from '../telemetry/log.js';
import { BackendWorker } from './backend-worker.js';
import { BullTeamJobs } from './bull-team-jobs.js';
import { PostgresQueueBackend } from './postgres-queue-backend.js';
import { BackendQueue, QueueBackend } from './queue-backend.js';
import { QueueGauges } from './queue-gauges.js';
import { QueueWatch } from './queue-watch.js';

BullModule.queueClass = BackendQueue;
BullModule.workerClass = BackendWorker;

const OPTIONS: Omit<QueueOptions, 'connection'> = {
  skipVersionCheck: true,
  // The events of jobs are not used, but BullMQ always stores them.
  streams: { events: { maxLen: 100 } },
  defaultJobOptions: {
    // The retry schedule of the work itself (a chunk, a recheck, a delivery) is in its row, and a sweep
    // enqueues it again.
    attempts: 1,
    stackTraceLimit: 0,
    removeOnComplete: true,
    removeOnFail: true,
  },
};

/** A queue of a domain module. Gauges are registered with it in every process that adds or processes its jobs. */
@Module({})
class RegisteredQueueModule {}

/** BullMQ with Redis if `REDIS_URL` is set, otherwise with PostgreSQL. */
@Global()
@Module({})
export class QueueModule implements OnApplicationShutdown {
  constructor(private readonly backend: QueueBackend) {}

  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        BullModule.forRootAsync({
          inject: [QueueBackend],
          useFactory: (connection: QueueBackend) => ({ ...OPTIONS, connection }),
          // `QueueWorkerModule` registers the processors.
          extraOptions: { manualRegistration: true },
        }),
      ],
      providers: [
        {
          provide: QueueBackend,
          useFactory: createBackend,
          inject: [Config, DataSource, HealthRegistry, Log, Clock],
        },
        {
          provide: QueueWatch,
          useFactory: (health: HealthRegistry, pause: Pause, clock: Clock) =>
            new QueueWatch(health, pause, clock),
          inject: [HealthRegistry, Pause, Clock],
        },
        { provide: QueueStates, useExisting: QueueWatch },
      ],
      exports: [QueueBackend, QueueWatch, QueueStates],
    };
  }

  /**
   * Import it in the module that adds its jobs.
   *
   * @param port the jobs of the queue, which the module exports.
   * @param job the name of its jobs.
   */
  static registerQueue(name: string, port: abstract new () => TeamJobs, job: string): DynamicModule {
    return {
      module: RegisteredQueueModule,
      imports: [BullModule.registerQueue({ name })],
      providers: [
        {
          provide: QueueGauges,
          useFactory: (queue: Queue, meter: Meter, clock: Clock, watch: QueueWatch) => {
            const gauges = new QueueGauges(queue, meter, clock);
            watch.add(name, gauges);
            return gauges;
          },
          inject: [getQueueToken(name), Meter, Clock, QueueWatch],
        },
        {
          provide: port,
          useFactory: (queue: Queue, work: UnitOfWork) => new BullTeamJobs(queue, job, work),
          inject: [getQueueToken(name), UnitOfWork],
        },
      ],
      exports: [BullModule, port],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.backend.close();
  }
}

/**
 * Starts a worker for each `@Processor` once the application has started, in a process that has the worker role. While
 * the service is paused none begins a job.
 */
@Module({})
export class QueueWorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly registrar: BullRegistrar,
    private readonly backend: QueueBackend,
    private readonly roles: ProcessRoles,
    private readonly lifecycle: Lifecycle,
    private readonly pause: Pause,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.start();
    this.pause.onChange(() => this.start());
  }

  /** Workers that exist are stopped and continued: those of a pause that began later. */
  private start(): void {
    const { workers } = this.backend;
    if (workers.size === 0 && !this.pause.isPaused) this.registrar.register();
    for (const worker of workers) void (this.pause.isPaused ? worker.halt() : worker.proceed());
  }

  /** Runs while the connections of the API are drained; both have the same time limit. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.backend.workers].map((worker) => worker.drain(this.lifecycle.graceMs)));
  }
}

async function createBackend(
  { redisUrl }: Config,
  dataSource: DataSource,
  health: HealthRegistry,
  log: Log,
  clock: Clock,
): Promise<QueueBackend> {
  if (redisUrl === null) {
    const { url = '' } = dataSource.options as { url?: string };
    return new PostgresQueueBackend(url, log, clock);
  }
  const { RedisQueueBackend } = await import('./redis-queue-backend.js');
  const backend = new RedisQueueBackend(redisUrl, health, log, clock);
  await backend.open();
  return backend;
}
