import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { API_TAGS } from './api-tags.js';
import { AppModule } from './app.module.js';
import { ERRORS } from './errors.js';
import { AccountsService, type NewAccount } from './modules/accounts/accounts/accounts.service.js';
import { ApiKeysService } from './modules/identity/api-keys/api-keys.service.js';
import { documentedEvents } from './modules/events/webhooks/events/events.dto.js';
import { Config, unknownSettings } from './platform/config/config.js';
import type { LogFormat } from './platform/config/environment.js';
import { listeningError } from './platform/config/listening-error.js';
import { ProcessRoles } from './platform/config/process-roles.js';
import { EmbeddedDatabase } from './platform/database/embedded/embedded-database.js';
import { BoundedExpressAdapter, configureApp, NEST_OPTIONS } from './platform/http/configure-app.js';
import { ConnectionDrainer } from './platform/http/connection-drainer.js';
import { Clock } from './kernel/clock.js';
import { Lifecycle } from './kernel/service-state/lifecycle.js';
import { Pause } from './kernel/service-state/pause.js';
import { Log } from './platform/telemetry/log.js';
import { NestLog } from './platform/telemetry/pino-log.js';
import { PrometheusMeter } from './platform/telemetry/prometheus-meter.js';

export interface RunningService {
  /** Base URL for clients on this machine. */
  url: string;
  /** false: a worker, with `/livez`, `/readyz` and `/metrics` only. */
  servesApi: boolean;
  /** The first account, created on an empty embedded database; otherwise null. */
  firstAccount: NewAccount | null;
  /** The embedded database has keys, and nobody has used one: they may be lost. */
  isUnused: boolean;
  /** How it speaks: JSON, or sentences for a person. */
  logFormat: LogFormat;
  /** At the start. */
  isPaused: boolean;
  app: NestExpressApplication;
  /** Makes `/readyz` fail and closes keep-alive connections after their next response. Requests are still served. */
  drain(): Promise<void>;
  /** Accepts no new connections, closes idle ones, and closes all resources. */
  stop(): Promise<void>;
}

/** Time to send the responses of requests that were aborted at that deadline. */
const LAST_RESPONSES_MS = 2_000;

export async function startService(roles: ProcessRoles): Promise<RunningService> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoles(roles),
    new BoundedExpressAdapter(),
    { ...NEST_OPTIONS, logger: false },
  );
  const service = await serve(app);
  app.get(PrometheusMeter).watchProcess();
  return service;
}

/** Configures the application and listens. On failure it closes what was opened. */
export async function serve(app: NestExpressApplication): Promise<RunningService> {
  const server = app.getHttpServer();
  const { api } = app.get(ProcessRoles);
  const lifecycle = app.get(Lifecycle);
  // A person reads the sentences of `runService` instead.
  const { logFormat } = app.get(Config);
  const level = logFormat === 'text' ? 'debug' : 'info';
  try {
    app.useLogger(new NestLog(app.get(Log)));
    await configureApp(app, { errors: ERRORS, events: documentedEvents(), tags: API_TAGS });
    const drainer = new ConnectionDrainer(server, app.get(Clock));
    const isOwnDatabase = api && app.get(EmbeddedDatabase).isOpen;
    const url = await listen(app, app.get(Config));
    // After all that can fail, because its keys are shown only once.
    const firstAccount = isOwnDatabase ? await app.get(AccountsService).createFirst() : null;
    for (const sentence of unknownSettings()) app.get(Log).warn({}, sentence);
    app.get(Log)[level]({ url, api, worker: app.get(ProcessRoles).worker }, 'ready');
    return {
      url,
      servesApi: api,
      firstAccount,
      isUnused: isOwnDatabase && firstAccount === null && !(await app.get(ApiKeysService).isAnyUsed()),
      isPaused: app.get(Pause).isPaused,
      logFormat,
      app,
      drain: async () => {
        app.get(Log)[level]({ graceSeconds: lifecycle.graceMs / 1000 }, 'draining');
        lifecycle.drain();
        await drainer.drain();
      },
      stop: async () => {
        await stop(app, lifecycle, drainer);
        app.get(Log)[level]({}, 'ended');
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: NestExpressApplication, { host, port }: Config): Promise<string> {
  await app.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    throw listeningError(error, { host, port, setting: 'PORT' });
  });
  const address = app.getHttpServer().address() as AddressInfo;
  const isLocal = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address.address);
  const name = isLocal ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

async function stop(
  app: NestExpressApplication,
  lifecycle: Lifecycle,
  drainer: ConnectionDrainer,
): Promise<void> {
  const log = app.get(Log);
  lifecycle.drain();
  // Nest closes the server only after the workers have ended.
  app.getHttpServer().close();
  // Connections become idle as their responses end. Close them so that they do not delay the shutdown.
  const idle = setInterval(() => drainer.closeIdle(), 100);
  // Aborted requests have their response by then, unless the client does not read the response.
  const release = lifecycle.onDeadline(() => {
    log.warn({}, 'requests and jobs are aborted at the end of the grace');
    setTimeout(() => app.getHttpServer().closeAllConnections(), LAST_RESPONSES_MS).unref();
  });
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    release();
  }
}
