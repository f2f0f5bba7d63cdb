import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { download } from './download.js';

const STALLED_MS = 1_000;
const PIECE = 'x'.repeat(65_536);
/** Together more than the sockets of both sides hold. */
const PIECES = 400;

async function* large(): AsyncGenerator<string> {
  for (let n = 0; n < PIECES; n++) yield await Promise.resolve(PIECE);
}

describe('a download', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** A server that answers with the text; `closed` resolves once such an answer is over. */
  async function serve(text: () => AsyncIterable<string>): Promise<{ port: number; closed: Promise<void> }> {
    let over = () => {};
    const closed = new Promise<void>((resolve) => (over = resolve));
    server = createServer((_, response) => {
      const answer = download(response, { text: text(), type: 'text/plain', onClose: over }, STALLED_MS);
      answer.getStream().pipe(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, closed };
  }

  const request = async (port: number) => {
    const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    return response;
  };

  it('of which a client takes nothing for a while breaks off', async () => {
    const { port, closed } = await serve(large);
    const response = await request(port);
    await closed;
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
  });

  it('that is taken slowly is sent to its end', async () => {
    const { port } = await serve(large);
    const response = await request(port);
    let taken = 0;
    const slowUntil = performance.now() + 2 * STALLED_MS;
    for await (const bytes of response as AsyncIterable<Buffer>) {
      taken += bytes.length;
      if (performance.now() < slowUntil) await pause(10);
    }
    expect(taken).toBe(PIECES * PIECE.length);
  });

  it.each(['1.0', '1.1'])('whose text fails on the way ends with a reset (HTTP/%s)', async (version) => {
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

  it('is over when its client goes, and its text is left', async () => {
    let left = () => {};
    const isLeft = new Promise<void>((resolve) => (left = resolve));
    const { port, closed } = await serve(async function* () {
      try {
        for (;;) yield await Promise.resolve(PIECE);
      } finally {
        left();
      }
    });
    (await request(port)).destroy();
    await Promise.all([closed, isLeft]);
  });
});
