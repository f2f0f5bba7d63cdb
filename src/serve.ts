import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { AccountsService, type NewAccount } from './modules/accounts/accounts.service.js';
import { Config } from './platform/config/config.js';
import { ProcessRoles } from './platform/config/process-roles.js';
import { EmbeddedDatabase } from './platform/database/embedded-database.js';
import { configureApp } from './platform/http/configure-app.js';
import { ConnectionDrainer } from './platform/http/connection-drainer.js';
import { Clock } from './kernel/clock.js';
import { Lifecycle } from './kernel/lifecycle.js';
import { Log, NestLog } from './platform/telemetry/log.js';
import { MetricsServer } from './platform/telemetry/metrics-server.js';

export interface RunningService {
  /** Where it listens, as a caller on this machine would say it. */
  url: string;
  metricsUrl: string;
  /** The account that this start has made, the first on an empty embedded database; else null. */
  firstAccount: NewAccount | null;
  app: NestExpressApplication;
  /** Tells health checks and clients with open connections that the process is about to end; still answers. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Work under way may take this long once the process was asked to end. */
const GRACE_MS = 20_000;

/** For the answers to what was cut short then. */
const LAST_ANSWERS_MS = 2_000;

/** Configures the application and listens. When a part cannot start, what was opened is closed. */
export async function serve(app: NestExpressApplication): Promise<RunningService> {
  const server = app.getHttpServer();
  const { api } = app.get(ProcessRoles);
  const lifecycle = app.get(Lifecycle);
  try {
    app.useLogger(new NestLog(app.get(Log)));
    await configureApp(app, ERRORS, EVENTS);
    const drainer = new ConnectionDrainer(server, app.get(Clock));
    const isOwnDatabase = api && app.get(EmbeddedDatabase).isOpen;
    const firstAccount = isOwnDatabase ? await app.get(AccountsService).createFirst() : null;
    const url = await listen(app, app.get(Config));
    app.get(Log).info({ url, api, worker: app.get(ProcessRoles).worker }, 'ready');
    return {
      url,
      metricsUrl: app.get(MetricsServer).url ?? `${url}/metrics`,
      firstAccount,
      app,
      drain: async () => {
        lifecycle.drain(GRACE_MS);
        await drainer.drain();
      },
      stop: () => stop(app, lifecycle, drainer),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: NestExpressApplication, { host, port }: Config): Promise<string> {
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
  app: NestExpressApplication,
  lifecycle: Lifecycle,
  drainer: ConnectionDrainer,
): Promise<void> {
  lifecycle.drain(GRACE_MS);
  // Connections become idle one by one as their answers end; none of them may delay the end.
  const idle = setInterval(() => drainer.closeIdle(), 100);
  // What was cut short is answered by then, unless its client takes no answer.
  const release = lifecycle.onDeadline(() => {
    setTimeout(() => app.getHttpServer().closeAllConnections(), LAST_ANSWERS_MS).unref();
  });
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    release();
  }
}
