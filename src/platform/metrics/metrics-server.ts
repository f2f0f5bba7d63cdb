import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '../config/config.js';
import { listeningError } from '../config/listening-error.js';
import { createHttpServer } from '../http/node-server.js';
import { problemOf } from '../http/problems/problem.filter.js';
import { PrometheusMeter } from '../telemetry/prometheus-meter.js';

@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly config: Config,
    private readonly meter: PrometheusMeter,
  ) {}

  /** null: `METRICS_PORT` is not set. */
  get url(): string | null {
    if (this.server === null) return null;
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`;
  }

  /** @throws Error that names what to set. */
  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, host, publicUrl } = this.config;
    if (metricsPort === null) return;
    const server = createHttpServer(
      (request, response) => this.respond(request, response),
      (error) => problemOf(error, publicUrl),
    );
    server.listen(metricsPort, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw listeningError(error, { host, port: metricsPort, setting: 'METRICS_PORT' });
    });
    this.server = server;
  }

  private respond({ method, url }: IncomingMessage, response: ServerResponse): void {
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    this.meter.expose().then(
      (text) => response.writeHead(200, { 'Content-Type': PrometheusMeter.CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.server === null) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
