import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { ApiModule } from './api.module.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { watchPlatform } from './gauges.js';
import { AccountsService, type NewAccount } from './modules/accounts/accounts.service.js';
import type { Config } from './platform/config/config.js';
import { isMigrated, migrate } from './platform/database/migrate.js';
import { furnish, httpServer } from './platform/http/http-server.js';
import { Parting } from './platform/http/parting.js';
import { HealthModule } from './platform/health/health.module.js';
import { openPlatform, type OpenPlatform } from './platform/open-platform.js';
import type { Platform } from './platform/platform.module.js';
import { storedPlatformModule } from './platform/stored-platform.js';
import { MetricsModule } from './platform/telemetry/metrics.module.js';
import { MetricsServer } from './platform/telemetry/metrics-server.js';
import { NestLog } from './platform/telemetry/log.js';
import { Sweeps } from './platform/time/sweeps.js';
import { SCHEMAS } from './schema.js';
import { WorkerModule } from './worker.module.js';

export interface Roles {
  api: boolean;
  worker: boolean;
}

export interface RunningService {
  /** Where it listens, as a caller on this machine would say it. */
  url: string;
  metricsUrl: string;
  /** Made by this start, the first on an empty embedded database; else null. */
  firstAccount: NewAccount | null;
  app: NestFastifyApplication;
  /** Loads what a start can do without, and a request should not wait for. */
  warmUp(): Promise<void>;
  /** Says that it is about to end, to health checks and to clients that keep connections; answers all the same. */
  takeLeave(): Promise<void>;
  stop(): Promise<void>;
}

/** Work under way may take this long once the process was asked to end. */
const GRACE_MS = 20_000;
/** For the answers to what was cut short then. */
const LAST_ANSWERS_MS = 2_000;
const NEST = { bodyParser: false, abortOnError: false } as const;

/** Starts the roles in this process; what was begun is undone when one of them cannot start. */
export async function start(bare: Platform, roles: Roles): Promise<RunningService> {
  const platform = await openPlatform(bare, SCHEMAS);
  const undo: (() => Promise<unknown>)[] = [() => platform.close()];
  try {
    for (const role of ['api', 'worker'] as const) if (roles[role]) await platform.embedded?.claim(role);
    await prepareDatabase(platform, roles);
    await platform.queue.open();
    watchPlatform(platform);
    const app = await openHttp(platform, roles);
    undo.unshift(() => app.close());
    const parting = new Parting(app.getHttpServer(), platform.clock);
    const firstAccount = roles.api && platform.embedded ? await app.get(AccountsService).createFirst() : null;
    if (roles.worker) undo.unshift(await startWorker(platform));
    const metrics = await MetricsServer.open(platform.config, platform.meter);
    if (metrics) undo.unshift(() => metrics.close());
    const url = await listen(app, platform.config);
    platform.log.info({ url, ...roles }, 'ready');
    const takeLeave = async () => {
      platform.lifecycle.drain(GRACE_MS);
      await parting.takeLeave();
    };
    return {
      url,
      metricsUrl: metrics?.url ?? `${url}/metrics`,
      firstAccount,
      app,
      warmUp: () => platform.queue.warmUp(),
      takeLeave,
      stop: () => stop(platform, app, parting, undo),
    };
  } catch (error) {
    await inTurn(undo);
    throw error;
  }
}

/** Whoever serves the API brings the database up to date; a lone worker waits until that is done. */
async function prepareDatabase({ dataSource, clock, log }: OpenPlatform, roles: Roles): Promise<void> {
  if (roles.api) return migrate(dataSource);
  for (let told = false; !(await isMigrated(dataSource)); told = true) {
    if (!told)
      log.warn(
        {},
        'the database lacks migrations; waiting for an API process, or `rcpt migrate`, to run them',
      );
    await clock.pause(1_000);
  }
}

/** The whole API, or only the health routes for a worker by itself. */
async function openHttp(platform: OpenPlatform, roles: Roles): Promise<NestFastifyApplication> {
  const root = roles.api
    ? ApiModule.on(platform)
    : {
        module: HealthModule,
        imports: [storedPlatformModule(platform), ...MetricsModule.beside(platform.config)],
      };
  const app = await NestFactory.create<NestFastifyApplication>(root, httpServer(platform), {
    ...NEST,
    logger: new NestLog(platform.log),
  });
  await furnish(app, platform, ERRORS, EVENTS);
  return app;
}

/** @returns how to end it. */
async function startWorker(platform: OpenPlatform): Promise<() => Promise<unknown>> {
  const context: INestApplicationContext = await NestFactory.createApplicationContext(
    WorkerModule.on(platform),
    {
      abortOnError: false,
      logger: new NestLog(platform.log),
    },
  );
  const sweeps = new Sweeps(platform.log);
  sweeps.start(WorkerModule.sweeps(context));
  for (const { queue, concurrency, handler } of WorkerModule.work(context))
    platform.queue.work(queue, concurrency, handler);
  return async () => {
    await Promise.all([sweeps.stop(), platform.queue.rest()]);
    await context.close();
  };
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<string> {
  await app.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Something else listens on port ${port} of ${host} already. Set PORT to a free one.`);
  });
  const address = app.getHttpServer().address() as AddressInfo;
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address.address);
  const name = everywhere
    ? 'localhost'
    : address.family === 'IPv6'
      ? `[${address.address}]`
      : address.address;
  return `http://${name}:${address.port}`;
}

async function stop(
  platform: OpenPlatform,
  app: NestFastifyApplication,
  parting: Parting,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  platform.lifecycle.drain(GRACE_MS);
  // Connections become idle one by one as their answers go out; none of them may hold up the end.
  const idle = setInterval(() => parting.closeIdle(), 100);
  // What was cut short is answered by then, unless its client takes no answer.
  const takeBack = platform.lifecycle.onCutOff(() => {
    setTimeout(() => app.getHttpServer().closeAllConnections(), LAST_ANSWERS_MS).unref();
  });
  try {
    await inTurn(undo);
  } finally {
    clearInterval(idle);
    takeBack();
  }
}

async function inTurn(steps: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await step();
}
