import { connect, type Socket } from 'node:net';

/**
 * Who kept a connection from coming about.
 *
 * `target`: it refused, cannot be reached, or did not answer in time; `proxy`: the way out is
 * broken, and nothing was learned about the target; `undecided`: the time was up, or the caller
 * gave up, and nobody can say who was to blame.
 */
export type DialFault = 'target' | 'proxy' | 'undecided';

export class DialFailure extends Error {
  constructor(
    readonly fault: DialFault,
    message: string,
  ) {
    super(message);
  }
}

/** The way out to mail servers. */
export abstract class Dialler {
  /**
   * @param ip the address itself, never a name; the caller has asked the egress filter about it.
   * @param timeoutMs until the target has taken the connection, everything on the way included.
   * @param signal aborts: the attempt ends at once.
   * @returns a connection that nothing was read from yet; it is the caller's to close.
   * @throws DialFailure; no socket is left open then.
   */
  abstract dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket>;
}

export class DirectDialler extends Dialler {
  dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const socket = connect({ host: ip, port, noDelay: true });
    const silence = () => new DialFailure('target', 'no answer to the connection');
    return within(socket, timeoutMs, signal, silence, () =>
      connected(socket, 'target', 'the connection failed'),
    );
  }
}

/** @throws DialFailure with the system's code for what went wrong, which names no address. */
export function connected(socket: Socket, fault: DialFault, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new DialFailure(fault, `${what}: ${code ?? 'unknown error'}`)),
    );
  });
}

/**
 * Readies a socket under a time-out and a signal, and destroys it when that fails.
 *
 * @param late what a time-out means, at the moment when it strikes.
 */
export async function within(
  socket: Socket,
  timeoutMs: number,
  signal: AbortSignal,
  late: () => DialFailure,
  ready: () => Promise<void>,
): Promise<Socket> {
  // It may break while nobody listens; then its close tells.
  socket.on('error', () => undefined);
  let abort = () => {};
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<never>((_, reject) => {
    abort = () => reject(new DialFailure('undecided', 'the caller gave up'));
    const timeUp = () => reject(late());
    if (timeoutMs > 0) timer = setTimeout(timeUp, timeoutMs);
    else timeUp();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    await Promise.race([cut, ready()]);
    return socket;
  } catch (failure) {
    socket.destroy();
    throw failure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
