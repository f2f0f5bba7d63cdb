import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy with which a test can interrupt the connection to a server. */
export class TcpRelay {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private port = 0;
  private lateMs = 0;

  private constructor(
    private readonly targetHost: string,
    private readonly targetPort: number,
  ) {}

  /** @returns the relay and the URL through it. */
  static async to(url: string): Promise<{ relay: TcpRelay; url: string }> {
    const target = new URL(url);
    const relay = new TcpRelay(target.hostname, Number(target.port));
    await relay.open();
    target.hostname = '127.0.0.1';
    target.port = String(relay.port);
    return { relay, url: target.href };
  }

  /** Accepts connections, on the same port as before. */
  async open(): Promise<void> {
    if (this.server !== null) return;
    this.server = createServer((near) => this.join(near));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Closes all connections and refuses new ones. */
  async close(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    this.cut();
    await closed;
    this.server = null;
  }

  /** Closes all connections and accepts new ones. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Stops forwarding data without closing connections, like a network failure. */
  stall(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Delays all data of the server; 0: no delay. */
  slow(ms: number): void {
    this.lateMs = ms;
  }

  private join(near: Socket): void {
    const answers = new Transform({
      transform: (chunk, _, pass) =>
        void (this.lateMs === 0 ? pass(null, chunk) : setTimeout(pass, this.lateMs, null, chunk)),
    });
    const far = connect(this.targetPort, this.targetHost);
    near.pipe(far);
    far.pipe(answers).pipe(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.sockets.delete(from);
      });
    }
  }
}
