import type { Socket } from 'node:net';

/**
 * Reads exactly `length` octets. Further octets stay in the buffer of the socket.
 *
 * @param onClose creates the error for a connection that is closed before.
 */
export function readOctets(socket: Socket, length: number, onClose: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      socket.off('readable', read).off('close', close);
      end();
    };
    const close = () => settle(() => reject(onClose()));
    const read = () => {
      const octets = socket.read(length) as Buffer | null;
      if (octets?.length === length) settle(() => resolve(octets));
    };
    socket.on('readable', read).on('close', close);
    read();
    if (socket.destroyed) close();
  });
}
