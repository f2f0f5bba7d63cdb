import { connect, type Socket } from 'node:net';
import type { Requester } from '../../kernel/concurrency/fair-queue.js';
import { withDeadline } from '../../kernel/deadline.js';

/**
 * The cause of a failed connection.
 *
 * - `target`: it refused the connection, is unreachable, or did not respond in time.
 * - `egress`: our egress failed, its proxy or its source address; nothing is known about the target.
 * - `undecided`: a timeout or abort that may be caused by either.
 */
export type DialErrorSide = 'target' | 'egress' | 'undecided';

export class DialFailure extends Error {
  constructor(
    readonly side: DialErrorSide,
    message: string,
  ) {
    super(message);
  }
}

/** For whom a connection is opened, where connections are limited. */
export interface DialRequester extends Requester {
  /** Called when it begins to wait, and when it waits no longer. */
  onWait?: (isWaiting: boolean) => void;
}

/** Opens TCP connections to mail servers and webhook receivers. */
export abstract class Dialler {
  /**
   * @param ip an IP address, not a name; the caller has checked it with `AddressPolicy`.
   * @param timeoutMs time until the target has accepted the connection, including the proxy handshake.
   * @param signal aborts the attempt.
   * @param requester where connections wait for each other: in whose turn.
   * @returns a connection from which nothing has been read. The caller must close it.
   * @throws DialFailure, after the socket was closed.
   */
  abstract dial(
    ip: string,
    port: number,
    timeoutMs: number,
    signal: AbortSignal,
    requester?: DialRequester,
  ): Promise<Socket>;
}

export class DirectDialler extends Dialler {
  /** @param localAddress the source address of connections, which must be of the target's family; null: by the routing table. */
  constructor(private readonly localAddress: string | null = null) {
    super();
  }

  dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const { localAddress } = this;
    const socket = connect({ host: ip, port, noDelay: true, ...(localAddress !== null && { localAddress }) });
    const onTimeout = () => new DialFailure('target', 'the connection timed out');
    return whenReady(socket, timeoutMs, signal, onTimeout, () =>
      waitForConnect(socket, 'target', 'the connection failed'),
    );
  }
}

/** @throws DialFailure with the system error code, without the address. */
export function waitForConnect(socket: Socket, side: DialErrorSide, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', ({ code, syscall }: NodeJS.ErrnoException) =>
      // The source address is not one of this machine.
      reject(new DialFailure(syscall === 'bind' ? 'egress' : side, `${what}: ${code ?? 'unknown error'}`)),
    );
  });
}

/**
 * Waits until the socket is ready, with a timeout and an abort signal. Destroys the socket on failure.
 *
 * @param onTimeout creates the error for a timeout.
 */
export async function whenReady(
  socket: Socket,
  timeoutMs: number,
  signal: AbortSignal,
  onTimeout: () => DialFailure,
  ready: () => Promise<void>,
): Promise<Socket> {
  // Prevents an unhandled error event; the close event follows.
  socket.on('error', () => undefined);
  try {
    const inTime = await withDeadline(timeoutMs, signal, async () => {
      await ready();
      return socket;
    });
    if (inTime !== null) return inTime;
    throw signal.aborted ? new DialFailure('undecided', 'the caller aborted') : onTimeout();
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}
