import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Sessions that the servers of one provider count, and the most at once. */
export interface CountedSessions {
  open: number;
  most: number;
  all: number;
}

/** What a server does in one session. */
export interface SessionManner {
  /** `''`: none. */
  banner: string;
  /** `''`: none. */
  toRecipient: string;
  /** The server sees the end of the client so long after the moment `busyFrom`, or later. */
  busyMs: number;
  busyFrom: 'banner' | 'quit';
}

export const ORDINARY: SessionManner = {
  banner: '220 mx.test ESMTP',
  toRecipient: '250 2.1.5 Ok',
  busyMs: 0,
  busyFrom: 'quit',
};

/**
 * A mail server that counts a session until it has seen the FIN of the client, as one does whose process ends then. It
 * never ends a session first, and waits for the client also after QUIT.
 */
export class CountingServer {
  private constructor(private readonly server: Server) {}

  /** @param mannerOf the number of the session, from 1 for all servers that count together. */
  static async start(
    host: string,
    port: number,
    counted: CountedSessions,
    mannerOf: (session: number) => Partial<SessionManner>,
  ): Promise<CountingServer> {
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      counted.all += 1;
      counted.open += 1;
      counted.most = Math.max(counted.most, counted.open);
      const end = () => {
        counted.open -= 1;
        socket.end();
      };
      const busyUntil = serve(socket, { ...ORDINARY, ...mannerOf(counted.all) });
      // A paused socket emits the end of the client nevertheless.
      socket.on('error', () => undefined).once('end', () => void busyUntil().then(end));
    });
    server.listen(port, host);
    await once(server, 'listening');
    return new CountingServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.server.close();
  }
}

/** @returns what resolves when the server sees the end of the client. */
function serve(
  socket: Socket,
  { banner, toRecipient, busyMs, busyFrom }: SessionManner,
): () => Promise<unknown> {
  let busy: Promise<unknown> = Promise.resolve();
  const be = (moment: SessionManner['busyFrom']) => {
    if (moment === busyFrom && busyMs > 0) busy = pause(busyMs);
  };
  const say = (line: string) => line !== '' && socket.writable && socket.write(`${line}\r\n`);
  socket.setEncoding('latin1').on('data', (text: string) => {
    for (const line of text.split('\r\n').slice(0, -1)) {
      if (line.startsWith('RCPT')) say(toRecipient);
      else if (line.startsWith('QUIT')) say('221 2.0.0 Bye');
      else say('250 2.0.0 Ok');
      if (line.startsWith('QUIT')) be('quit');
    }
  });
  say(banner);
  be('banner');
  return () => busy;
}
