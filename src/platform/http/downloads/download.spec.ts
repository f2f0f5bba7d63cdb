import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DownloadSlots } from './download-slots.js';
import { download } from './download.js';
import { createHttpServer, TIMEOUTS } from '../node-server.js';
import { problemOf } from '../problems/problem.filter.js';

const STALLED_MS = 1_000;
const CHUNK = 'x'.repeat(65_536);
/** In total more than the socket buffers of both sides. */
const CHUNKS = 400;

async function* large(): AsyncGenerator<string> {
  for (let n = 0; n < CHUNKS; n++) yield await Promise.resolve(CHUNK);
}

describe('a download', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** A server that responds with the text; `closed` resolves when a response has ended. */
  async function serve(
    text: () => AsyncIterable<string>,
    slots?: { signal: AbortSignal },
  ): Promise<{ port: number; closed: Promise<void> }> {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    server = createHttpServer(
      (_, response) => {
        const file = download(response, { text: text(), type: 'text/plain', onClose, ...slots });
        file.getStream().pipe(response);
      },
      (error) => problemOf(error, 'http://localhost'),
      { ...TIMEOUTS, stalledTimeout: STALLED_MS },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, closed };
  }

  const request = async (port: number) => {
    const sent = get({ port, host: '127.0.0.1' });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // From Node 24 on the request has the error of the response too.
    sent.on('error', () => undefined);
    return response;
  };

  it('is aborted when the client reads nothing for the stall timeout', async () => {
    const { port, closed } = await serve(large);
    const response = await request(port);
    await closed;
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('is completed for a slow client', async () => {
    const { port } = await serve(large);
    const response = await request(port);
    let received = 0;
    const slowUntil = performance.now() + 2 * STALLED_MS;
    for await (const bytes of response as AsyncIterable<Buffer>) {
      received += bytes.length;
      if (performance.now() < slowUntil) await pause(10);
    }
    expect(received).toBe(CHUNKS * CHUNK.length);
  });

  it.each(['1.0', '1.1'])('resets the connection when its source fails (HTTP/%s)', async (version) => {
    let arrived = () => {};
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    const { port } = await serve(async function* () {
      yield 'a';
      await hasArrived;
      throw new Error('no more');
    });
    const socket = connect({ port, host: '127.0.0.1' }).once('data', () => arrived());
    socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('is aborted when its slot is given to another team, also while its client does not read', async () => {
    const slots = new DownloadSlots();
    const held = Array.from({ length: 10 }, (_, team) =>
      Array.from({ length: 4 }, () => slots.acquire(`team ${team}`)),
    ).flat();
    expect(() => slots.acquire('team 0')).toThrow('A team may have at most 4 concurrent downloads.');
    const first = held[0];
    if (first === undefined) throw new Error('no slot');
    const { port, closed } = await serve(large, { signal: first.signal });
    const response = await request(port);
    slots.acquire('another team');
    await closed;
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow(/aborted|ECONNRESET/);
    expect(held.filter(({ signal }) => signal.aborted)).toHaveLength(1);
  });

  it('stops reading its source when the client disconnects', async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const { port, closed } = await serve(async function* () {
      try {
        for (;;) yield await Promise.resolve(CHUNK);
      } finally {
        stop();
      }
    });
    (await request(port)).destroy();
    await Promise.all([closed, stopped]);
  });
});
