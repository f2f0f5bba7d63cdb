import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server that counts datagrams and never responds. */
export class UdpSink {
  /** Number of received datagrams. */
  received = 0;

  private constructor(private readonly socket = createSocket('udp4')) {
    socket.on('message', () => this.received++);
  }

  static async open(): Promise<UdpSink> {
    const sink = new UdpSink();
    sink.socket.bind(0, '127.0.0.1');
    await once(sink.socket, 'listening');
    return sink;
  }

  /** `127.0.0.1:5353`, in the format of `DNS_SERVERS`. */
  get server(): string {
    const { address, port } = this.socket.address();
    return `${address}:${port}`;
  }

  /** Resolves when this many datagrams have been received. */
  async reaches(count: number): Promise<void> {
    while (this.received < count) await once(this.socket, 'message');
  }

  /** Resolves when a datagram sent now has arrived, so that all earlier ones are counted. */
  async settled(): Promise<void> {
    const probe = createSocket('udp4');
    const { address, port } = this.socket.address();
    const came = once(this.socket, 'message');
    probe.send('settled', port, address);
    await came;
    this.received--;
    probe.close();
  }

  close(): void {
    this.socket.close();
  }
}
