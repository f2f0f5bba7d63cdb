import type { SmtpBehaviour } from './smtp-behaviours.js';
import { SmtpServer } from './smtp-server.js';

/** Behaviours by address. All servers listen on the same port. */
export type SmtpSites = Record<string, SmtpBehaviour>;

/** Several scripted mail servers with different addresses in 127.0.0.0/8 and the same port. */
export class SmtpWorld {
  private constructor(
    readonly port: number,
    private readonly servers: ReadonlyMap<string, SmtpServer>,
  ) {}

  /** @param port 0: a port that is free at every address. */
  static async start(sites: SmtpSites, port = 0): Promise<SmtpWorld> {
    const servers = new Map<string, SmtpServer>();
    for (const [host, behaviour] of Object.entries(sites)) {
      const [first] = servers.values();
      servers.set(host, await SmtpServer.start({ host, behaviour, port: first?.port ?? port }));
    }
    const [first] = servers.values();
    return new SmtpWorld(first?.port ?? port, servers);
  }

  /** @throws RangeError if no server has this address. */
  at(host: string): SmtpServer {
    const server = this.servers.get(host);
    if (server === undefined) throw new RangeError(`no mail server at ${host}`);
    return server;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
  }
}
