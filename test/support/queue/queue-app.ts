import { getQueueToken, Processor, WorkerHost } from '@nestjs/bullmq';
import { Global, Inject, Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Job, JobsOptions, Queue } from 'bullmq';
import { Clock } from '../../../src/kernel/clock.js';
import { HealthRegistry } from '../../../src/kernel/service-state/health-registry.js';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import { Pause } from '../../../src/kernel/service-state/pause.js';
import { Meter } from '../../../src/kernel/meter.js';
import { TeamJobs } from '../../../src/kernel/queue/team-jobs.js';
import type { TeamWork } from '../../../src/kernel/queue/team-work.js';
import { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import { ProcessRoles } from '../../../src/platform/config/process-roles.js';
import { QueueBackend } from '../../../src/platform/queue/queue-backend.js';
import type { ProducerTimeouts } from '../../../src/platform/queue/redis-queue-backend.js';
import { QueueGauges, type QueueCounts } from '../../../src/platform/queue/queue-gauges.js';
import { QueueWatch } from '../../../src/platform/queue/queue-watch.js';
import { TeamProcessor } from '../../../src/platform/queue/team-processor.js';
import { QueueModule, QueueWorkerModule } from '../../../src/platform/queue/queue.module.js';
import type { Log } from '../../../src/platform/telemetry/log.js';
import { PrometheusMeter } from '../../../src/platform/telemetry/prometheus-meter.js';
import { aBackend, type Pace } from './queue-parts.js';

export type JobData = Record<string, string | number>;
export type Handler = (data: JobData, signal: AbortSignal) => Promise<void>;

export interface UnitsOfTeams {
  claim: (team: string) => Promise<string | null>;
  work: (unit: string) => Promise<void>;
  /** Gives back a unit that has failed. */
  release?: (unit: string) => Promise<void>;
}

abstract class TestJobs extends TeamJobs {}

export interface QueueAppOrder {
  queue: string;
  /** Without one the application only adds jobs. */
  handler?: Handler;
  /** Processes jobs of teams. */
  team?: UnitsOfTeams;
  /** false: the application has a processor, and not the worker role. */
  worker?: boolean;
  concurrency?: number;
  pace?: Pace;
  health?: HealthRegistry;
  pause?: Pause;
  timeouts?: ProducerTimeouts;
}

/** An application with one queue, and a processor for it. */
export class QueueApp {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly queue: Queue,
  ) {}

  static async start(url: string, order: QueueAppOrder, log: Log, clock: Clock): Promise<QueueApp> {
    const { queue, handler, team, health = new HealthRegistry(), pause = new Pause(), timeouts } = order;
    const { worker = handler !== undefined || team !== undefined } = order;
    @Global()
    @Module({
      providers: [
        { provide: Clock, useValue: clock },
        { provide: Meter, useValue: new PrometheusMeter(clock) },
        { provide: HealthRegistry, useValue: health },
        { provide: Pause, useValue: pause },
        Lifecycle,
        { provide: ProcessRoles, useValue: { api: !worker, worker } },
        { provide: UnitOfWork, useValue: { afterCommit: (run: () => void) => run() } },
      ],
      exports: [Clock, Meter, HealthRegistry, Lifecycle, Pause, ProcessRoles, UnitOfWork],
    })
    class PartsModule {}
    const module = await Test.createTestingModule({
      imports: [
        PartsModule,
        QueueModule.forRoot(),
        QueueModule.registerQueue(queue, TestJobs, 'do-something'),
        QueueWorkerModule,
      ],
      providers: processorsOf(order),
    })
      .overrideProvider(QueueBackend)
      .useValue(await aBackend(url, log, clock, health, timeouts))
      .compile();
    await module.init();
    return new QueueApp(module, module.get<Queue>(getQueueToken(queue), { strict: false }));
  }

  /** @param name is the job's id and the name in its data. */
  async add(name: string, options: JobsOptions = {}): Promise<void> {
    await this.queue.addBulk([jobOf(name, options)]);
  }

  async addAll(names: readonly string[]): Promise<void> {
    await this.queue.addBulk(names.map((name) => jobOf(name, {})));
  }

  /** Adds the jobs of these teams. */
  async addFor(teams: readonly string[]): Promise<void> {
    await this.app.get(TestJobs, { strict: false }).enqueue(teams);
  }

  counts(): Promise<QueueCounts> {
    return this.app.get(QueueGauges, { strict: false }).counts();
  }

  /** Stops its jobs in all processes. */
  pause(): Promise<void> {
    return this.queue.pause();
  }

  /** Looks whether the queue stands still. */
  look(): Promise<void> {
    return this.app.get(QueueWatch, { strict: false }).look();
  }

  /** What the application does before it closes its connections. */
  drain(): Promise<void> {
    return this.app.get(QueueWorkerModule).beforeApplicationShutdown();
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

const jobOf = (name: string, options: JobsOptions) => ({
  name: 'do-something',
  data: { name },
  opts: { ...options, jobId: name },
});

function processorsOf(order: QueueAppOrder): Type<WorkerHost>[] {
  const { handler, team } = order;
  return [...(handler ? [processorOf(order, handler)] : []), ...(team ? [teamProcessorOf(order, team)] : [])];
}

function teamProcessorOf(
  { queue, concurrency = 1, pace }: QueueAppOrder,
  team: UnitsOfTeams,
): Type<WorkerHost> {
  @Processor(queue, { concurrency, ...pace })
  class TestTeamProcessor extends TeamProcessor<string> {
    constructor(@Inject(TestJobs) jobs: TestJobs, @Inject(Clock) clock: Clock) {
      const run = (unit: string) => team.work(unit).then(() => null);
      super(jobs, clock, [{ units: unitsOf(team), run, pauseAfter: () => 0 }]);
    }
  }
  return TestTeamProcessor;
}

function unitsOf({ claim, release = async () => {} }: UnitsOfTeams): TeamWork<string> {
  return {
    leaseSeconds: 60,
    claim,
    renew: async () => true,
    release,
    listWaitingTeams: async () => [],
  };
}

function processorOf({ queue, concurrency = 1, pace }: QueueAppOrder, handler: Handler): Type<WorkerHost> {
  @Processor(queue, { concurrency, ...pace })
  class TestProcessor extends WorkerHost {
    override process(job: Job<JobData>, _token?: string, signal = new AbortController().signal) {
      return handler(job.data, signal);
    }
  }
  return TestProcessor;
}
