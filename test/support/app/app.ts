import { PassThrough } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import supertest from 'supertest';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../../src/app.module.js';
import { Clock } from '../../../src/kernel/clock.js';
import type { SemaphoreLimits } from '../../../src/kernel/concurrency/fair-semaphore.js';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import { AccountsService, type NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { ProcessRoles } from '../../../src/platform/config/process-roles.js';
import { BoundedExpressAdapter, NEST_OPTIONS } from '../../../src/platform/http/configure-app.js';
import { Outbox } from '../../../src/platform/database/outbox/outbox.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { Log } from '../../../src/platform/telemetry/log.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import type { ReadingLimits } from '../../../src/platform/threads/reader-thread.js';
import { READING_LIMITS, ReaderThreads, THREADS } from '../../../src/platform/threads/reader-threads.js';
import { serve, type RunningService } from '../../../src/serve.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { StrictUnitOfWork } from '../database/strict-unit-of-work.js';
import { recordLog } from '../jest/log-scan.js';
import { SHARED_THREADS } from '../threads/shared-threads.js';
import { AdjustableClock } from '../time/adjustable-clock.js';

/** The service on a real socket, with a new database unless one is given. */
export interface TestApp {
  service: RunningService;
  url: string;
  clock: AdjustableClock;
  /** For a second app on the same database. */
  shared: { DATABASE_URL: string; SECRET_KEY: string };
  /** Creates an account with a team of this tier. */
  anAccount(tier?: string): Promise<NewAccount>;
  get(path: string, key?: string): supertest.Test;
  post(path: string, key?: string): supertest.Test;
  delete(path: string, key?: string): supertest.Test;
  request(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, key?: string): supertest.Test;
  /** Dispatches the events in the outbox, as a worker does. @throws errors of subscribers. @returns the number of events. */
  dispatchEvents(): Promise<number>;
  /** The log so far. */
  logged(): string;
  stop(): Promise<void>;
}

/** @param env environment variables that differ from the defaults. */
export async function anApp(
  env: Record<string, string> = {},
  {
    graceMs,
    reading,
    threads,
  }: { graceMs?: number; reading?: Partial<ReadingLimits>; threads?: SemaphoreLimits } = {},
): Promise<TestApp> {
  const database = env.DATABASE_URL === undefined ? await aFreshDatabase() : null;
  const clock = new AdjustableClock();
  const sink = new PassThrough();
  let log = '';
  sink.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    recordLog(chunk);
  });
  const shared = {
    DATABASE_URL: env.DATABASE_URL ?? database?.url ?? '',
    SECRET_KEY: env.SECRET_KEY ?? randomBytes(32).toString('base64'),
  };
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DNS_SERVERS: '127.0.0.1:9',
    // A name server of the test responds, though late on a loaded machine. By default none does.
    DNS_TIMEOUT_MS: env.DNS_SERVERS === undefined ? '200' : '2000',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    ...env,
    ...shared,
  });
  // Tests call the parts of a worker explicitly: tasks and consumers are present but not started.
  const module = await Test.createTestingModule({
    imports: [AppModule.forRoles({ api: true, worker: true })],
  })
    .overrideProvider(ProcessRoles)
    .useValue({ api: true, worker: false })
    .overrideProvider(Config)
    .useValue(config)
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(Lifecycle)
    .useValue(new Lifecycle(graceMs))
    .overrideProvider(ReaderThreads)
    .useFactory({ factory: () => threadsOf(clock, reading, threads) })
    .overrideProvider(Log)
    .useValue(createLog(config.logLevel, sink))
    .overrideProvider(PostgresUnitOfWork)
    .useClass(StrictUnitOfWork)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>(new BoundedExpressAdapter(), {
    ...NEST_OPTIONS,
    logger: false,
  });
  // The module of a spec file stays loaded: without this reference, an application that was stopped is collected.
  let running: RunningService | null = await serve(app);
  const service = () => {
    if (running === null) throw new Error('The application was stopped');
    return running;
  };
  const { url } = running;
  const agent = supertest(url);
  // A connection costs both ends more than a request on one that is open.
  const connections = new Agent({ keepAlive: true });
  const authorised = (test: supertest.Test, key?: string) => {
    const sent = test.agent(connections);
    return key === undefined ? sent : sent.set('Authorization', `Bearer ${key}`);
  };
  let accounts = 0;
  return {
    get service() {
      return service();
    },
    url,
    clock,
    shared,
    anAccount: (tier = 'unlimited') =>
      service().app.get(AccountsService).create(`owner${++accounts}@team.example`, 'A team', tier),
    get: (path, key) => authorised(agent.get(path), key),
    post: (path, key) => authorised(agent.post(path), key),
    delete: (path, key) => authorised(agent.delete(path), key),
    request: (method, path, key) => authorised(agent[method](path), key),
    dispatchEvents: () =>
      service()
        .app.get(Outbox)
        .relay((_, error) => {
          throw error;
        }),
    logged: () => log,
    stop: async () => {
      await running?.stop();
      running = null;
      await database?.drop();
    },
  };
}

/** A pool of its own for an application with limits of its own. */
const threadsOf = (clock: Clock, reading?: Partial<ReadingLimits>, threads?: SemaphoreLimits) =>
  reading === undefined && threads === undefined
    ? new ReaderThreads(clock, READING_LIMITS, THREADS, SHARED_THREADS)
    : new ReaderThreads(clock, { ...READING_LIMITS, ...reading }, threads);
