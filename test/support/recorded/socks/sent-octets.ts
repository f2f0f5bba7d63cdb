import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SentOctets } from './recording.js';

/** A proxy that has not answered by then sends nothing. */
const PATIENCE_MS = 3_000;
/** What comes after an answer, in the same or the next segment. */
const MORE_MS = 100;
const SMTP = portOf(25);

/** What a proxy answers. Each is sent when the answer to the one before has come. The port of the target is recorded as 25. */
export async function octetsOf(port: number, sent: readonly string[], target: number): Promise<SentOctets[]> {
  const octets: SentOctets[] = [];
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let isClosed = false;
  socket.on('close', () => (isClosed = true));
  for (const each of sent) {
    if (isClosed) break;
    octets.push(['C', each.replaceAll(portOf(target), SMTP)]);
    socket.write(Buffer.from(each, 'hex'));
    await Promise.race([
      once(socket, 'readable'),
      once(socket, 'close'),
      pause(PATIENCE_MS, undefined, { ref: false }),
    ]);
    await pause(MORE_MS);
    const answer = socket.read() as Buffer | null;
    if (answer !== null) octets.push(['S', answer.toString('hex')]);
  }
  await pause(MORE_MS);
  if (isClosed) octets.push(['S', null]);
  socket.destroy();
  return octets;
}

/** As a request has it. */
export function portOf(port: number): string {
  return port.toString(16).padStart(4, '0');
}
