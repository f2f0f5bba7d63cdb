import type { Socket } from 'node:net';

const QUIT_TIMEOUT_MS = 1_000;
/** After the reply to QUIT. Then the client ends its side of the connection. */
const CLOSE_TIMEOUT_MS = 100;
/** After the end of the client. A server that is busy sees it late, and counts the session until then. */
const END_TIMEOUT_MS = 2_000;
/** For a server that was not seen to end the connection, to see that the client has. */
const SETTLE_MS = 100;

/**
 * Sends QUIT, and destroys the socket when the server has ended the connection, which it must do (RFC 5321 §4.1.1.10).
 * A server that does not is shown the end of the client.
 *
 * @param destroy is called when the server has not ended the connection in time after that.
 */
export function sendQuit(socket: Socket, destroy: () => void): void {
  const end = () => {
    socket.end();
    timer = setTimeout(destroy, END_TIMEOUT_MS).unref();
  };
  let timer = setTimeout(end, QUIT_TIMEOUT_MS).unref();
  socket.resume();
  socket.write('QUIT\r\n');
  socket.once('end', () => socket.destroy());
  socket.once('data', () => {
    // After the end of the client, a late reply changes nothing.
    if (!socket.writable) return;
    clearTimeout(timer);
    timer = setTimeout(end, CLOSE_TIMEOUT_MS).unref();
  });
  socket.once('close', () => clearTimeout(timer));
}

/** Resolves when a server has seen that the client closed the connection. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
