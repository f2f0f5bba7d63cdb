import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Principal } from '../../kernel/principal.js';
import { createHttpServer, TIMEOUTS } from './node-server.js';
import { problemOf } from './problems/problem.filter.js';
import type { AuthenticatedRequest } from './request/request-log.js';
import { UnreadResponses } from './unread-responses.js';

/** More than the socket buffers of both sides. */
const LARGE = Buffer.alloc(30_000_000);
const LIMITS = { perOwner: 2.5 * LARGE.length, total: 3.5 * LARGE.length };
const PATIENT = { bytesPerSecond: 1_000, graceMs: 60_000 };

describe('responses that clients do not read', () => {
  let server: Server;
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function serve(unread: UnreadResponses, bytes = LARGE): Promise<void> {
    server = createHttpServer(
      (request, response) => {
        // The first segment of the path is the team.
        (request as AuthenticatedRequest).principal = { teamId: teamOf(request) } as Principal;
        response.end(bytes);
      },
      (error) => problemOf(error, 'http://localhost'),
      TIMEOUTS,
      unread,
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  const teamOf = ({ url = '' }: IncomingMessage) => url.slice(1);

  /** Asks, and reads nothing. @returns the socket of the server, after the response was made. */
  async function ask(team: string): Promise<{ client: Socket; socket: Socket; closed: Promise<void> }> {
    const made = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).pause();
    client.on('error', () => undefined);
    clients.push(client);
    client.write(`GET /${team} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [{ socket }] = await made;
    const closed = new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.once('close', () => resolve());
    });
    return { client, socket, closed };
  }

  it('are bounded for each team: the connection of one more is reset, and others stay', async () => {
    const unread = new UnreadResponses(LIMITS, PATIENT);
    await serve(unread);
    const first = await ask('a');
    expect(unread.isFull('a')).toBe(false);
    const second = await ask('a');
    expect([unread.isFull('a'), unread.isFull('b')]).toEqual([true, false]);
    const third = await ask('a');
    await third.closed;
    expect([first.socket.destroyed, second.socket.destroyed, third.socket.destroyed]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('are bounded in total: the team with the most loses one, and the team that came last is served', async () => {
    await serve(new UnreadResponses(LIMITS, PATIENT));
    const hoarded = [await ask('a'), await ask('a')];
    const [own, other] = [await ask('b'), await ask('c')];
    await hoarded[0]?.closed;
    expect([own.socket.destroyed, other.socket.destroyed, hoarded[1]?.socket.destroyed]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are not counted any more when they were read or the client is gone', async () => {
    const unread = new UnreadResponses(LIMITS, PATIENT);
    await serve(unread);
    const [read, gone] = [await ask('a'), await ask('a')];
    expect(unread.isFull('a')).toBe(true);
    read.client.resume();
    gone.client.destroy();
    await gone.closed;
    while (unread.isFull('a')) await once(read.client, 'data');
    expect(read.socket.destroyed).toBe(false);
  });

  it('end at a deadline that a slow client meets and one that trickles does not', async () => {
    await serve(new UnreadResponses(LIMITS, { bytesPerSecond: 20_000_000, graceMs: 300 }));
    const stalled = await ask('a');
    const reading = await ask('a');
    let bytes = 0;
    reading.client.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    while (bytes < LARGE.length) await once(reading.client, 'data');
    await stalled.closed;
    expect(reading.socket.destroyed).toBe(false);
  });

  it('do not include those that the operating system takes at once', async () => {
    const unread = new UnreadResponses({ perOwner: 10, total: 10 }, PATIENT);
    await serve(unread, Buffer.alloc(1_000));
    const answers = [await ask('a'), await ask('a')];
    await Promise.all(answers.map(({ client }) => once(client.resume(), 'data')));
    expect(unread.isFull('a')).toBe(false);
  });
});
