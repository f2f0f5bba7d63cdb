import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server that hears everything and never answers. */
export class UdpSink {
  /** How many datagrams have come. */
  heard = 0;

  private constructor(private readonly socket = createSocket('udp4')) {
    socket.on('message', () => this.heard++);
  }

  static async open(): Promise<UdpSink> {
    const sink = new UdpSink();
    sink.socket.bind(0, '127.0.0.1');
    await once(sink.socket, 'listening');
    return sink;
  }

  /** `127.0.0.1:5353`, as `DNS_SERVERS` takes it. */
  get server(): string {
    const { address, port } = this.socket.address();
    return `${address}:${port}`;
  }

  /** Resolves once a datagram sent now has come: all that were sent before are counted then. */
  async settled(): Promise<void> {
    const probe = createSocket('udp4');
    const { address, port } = this.socket.address();
    const came = once(this.socket, 'message');
    probe.send('settled', port, address);
    await came;
    this.heard--;
    probe.close();
  }

  close(): void {
    this.socket.close();
  }
}
