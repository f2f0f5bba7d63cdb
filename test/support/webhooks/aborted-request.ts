import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends a part of a webhook and ends the connection. Resolves when the receiver has ended it too. */
export async function abortRequest(url: string): Promise<void> {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.end(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"type":`);
  await once(socket, 'close');
}
