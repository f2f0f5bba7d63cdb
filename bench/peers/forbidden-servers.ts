import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const ALWAYS = ['127.0.0.1', '::1'];
const SMTP_PORT = 25;

/** Counts connections to addresses that may not be dialled, and closes them. They include those of the machine itself. */
export class ForbiddenServers {
  connections = 0;
  private readonly servers: Server[] = [];

  static async start(addresses: readonly string[]): Promise<ForbiddenServers> {
    const traps = new ForbiddenServers();
    for (const host of new Set([...ALWAYS, ...addresses])) {
      const server = createServer((socket) => {
        traps.connections += 1;
        socket.on('error', () => undefined).destroy();
      });
      server.listen(SMTP_PORT, host);
      await once(server, 'listening');
      traps.servers.push(server);
    }
    return traps;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
