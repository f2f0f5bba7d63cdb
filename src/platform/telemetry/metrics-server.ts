import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.js';
import { PrometheusMeter } from './prometheus-meter.js';

/** `/metrics` on a port of its own, where callers of the API do not get to. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /** @returns null when no port is set apart. @throws when it is taken. */
  static async open({ metricsPort, host }: Config, meter: PrometheusMeter): Promise<MetricsServer | null> {
    if (metricsPort === null) return null;
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics')
        return void response.writeHead(404).end();
      meter.expose().then(
        (text) => response.writeHead(200, { 'Content-Type': PrometheusMeter.CONTENT_TYPE }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.listen(metricsPort, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Error(
        `Something else listens on port ${metricsPort} of ${host}. Set METRICS_PORT to a free one.`,
      );
    });
    return new MetricsServer(server);
  }

  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
