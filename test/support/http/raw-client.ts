import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** A client that sends raw bytes and reads only on request. */
export class RawClient {
  private received: Buffer = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    // A reset is reported when the response is read.
    socket.on('error', () => undefined);
  }

  /** @param localAddress source address of the connection. */
  static async connect(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Resolves when the bytes are written. @returns false if the connection is closed. */
  async send(bytes: string | Buffer): Promise<boolean> {
    return new Promise((resolve) => this.socket.write(bytes, (error) => resolve(!error)));
  }

  /** The next complete response. @throws if the connection ends before. */
  async answer(): Promise<RawAnswer> {
    let taken = takeAnswer(this.received);
    if (taken === null) {
      for await (const chunk of this.socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        this.received = Buffer.concat([this.received, chunk]);
        taken = takeAnswer(this.received);
        if (taken !== null) break;
      }
    }
    if (taken === null) throw new Error(`The connection ended after "${this.received.toString()}"`);
    this.received = taken.rest;
    return taken.answer;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Only responses with a Content-Length are supported. */
function takeAnswer(bytes: Buffer): { answer: RawAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < bodyEnd) return null;
  const body = bytes.subarray(end + 4, bodyEnd).toString();
  return {
    answer: { status: Number(statusLine.split(' ')[1]), headers, body },
    rest: bytes.subarray(bodyEnd),
  };
}
