import type { Socket } from 'node:net';

/** Values of SOCKS version 5 (RFC 1928) and its username/password authentication (RFC 1929). */
export const VERSION = 5;
export const AUTHENTICATION_VERSION = 1;

export const NO_AUTHENTICATION = 0;
export const USERNAME_AND_PASSWORD = 2;
export const NOTHING_ACCEPTABLE = 0xff;

export const CONNECT = 1;

export const IPV4 = 1;
export const NAME = 3;
export const IPV6 = 4;

/** Reply codes (RFC 1928 §6). */
export const SUCCEEDED = 0;
export const NOT_ALLOWED = 2;
export const HOST_UNREACHABLE = 4;
export const COMMAND_NOT_SUPPORTED = 7;
export const ADDRESS_TYPE_NOT_SUPPORTED = 8;

/**
 * Reads exactly `length` octets. Further octets stay in the buffer of the socket.
 *
 * @param onClose creates the error for a connection that is closed before.
 */
export function readOctets(socket: Socket, length: number, onClose: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      socket.off('readable', read).off('close', close);
      end();
    };
    const close = () => finish(() => reject(onClose()));
    const read = () => {
      const octets = socket.read(length) as Buffer | null;
      if (octets?.length === length) finish(() => resolve(octets));
    };
    socket.on('readable', read).on('close', close);
    read();
    if (socket.destroyed) close();
  });
}
