import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { DomainError } from '../../kernel/domain-error.js';
import { BodyMemory } from './body-memory.js';
import { readBody } from './read-body.js';

const MOST_BYTES = 10_000;
const PATIENT_MS = 60_000;

let server: Server;
const clients: Socket[] = [];
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
});

/** A request whose headers are there, and the client that sends its body. */
async function aRequest(header: string): Promise<{ request: IncomingMessage; client: Socket }> {
  const arrival = once(server, 'request') as Promise<[IncomingMessage]>;
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  clients.push(client);
  client.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
  const [request] = await arrival;
  return { request, client };
}

const CHUNKED = 'Transfer-Encoding: chunked';
const aMemory = () => new BodyMemory(100_000, 50_000);

function read(request: IncomingMessage, memory = aMemory(), withinMs = PATIENT_MS, owner = 'a') {
  return readBody(request, { mostBytes: MOST_BYTES, withinMs, memory, owner });
}

/** The code of what refuses it. */
async function refusalOf(reading: Promise<Buffer>): Promise<string> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error.fact.code;
  throw new Error('The body was taken');
}

/** Everything it could hold is there to be taken. */
function isFree(memory: BodyMemory): boolean {
  const isSo = memory.take('a', 50_000) && memory.take('b', 50_000);
  memory.release('a', 50_000);
  memory.release('b', 50_000);
  return isSo;
}

describe('a body', () => {
  it('is read whole, however it is cut, and gives back its memory', async () => {
    const memory = aMemory();
    const { request, client } = await aRequest(CHUNKED);
    const reading = read(request, memory);
    const text = 'é'.repeat(MOST_BYTES / 2);
    for (const byte of Buffer.from(text)) client.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
    client.write('0\r\n\r\n');
    expect((await reading).toString()).toBe(text);
    expect(isFree(memory)).toBe(true);
  });

  it('is refused by its length, before any of it has come', async () => {
    const { request } = await aRequest(`Content-Length: ${MOST_BYTES + 1}`);
    expect(await refusalOf(read(request))).toBe('payload_too_large');
  });

  it('is refused as soon as it is over the limit', async () => {
    const { request, client } = await aRequest(CHUNKED);
    client.write(`${(MOST_BYTES + 1).toString(16)}\r\n${'x'.repeat(MOST_BYTES + 1)}\r\n`);
    expect(await refusalOf(read(request))).toBe('payload_too_large');
  });

  it('is refused when it has not arrived in time, also while more of it comes', async () => {
    const memory = aMemory();
    const { request, client } = await aRequest('Content-Length: 1000');
    const dripping = setInterval(() => client.write('x'), 10);
    expect(await refusalOf(read(request, memory, 200))).toBe('request_timeout');
    clearInterval(dripping);
    expect(isFree(memory)).toBe(true);
  });

  it('that breaks off gives back its memory', async () => {
    const memory = aMemory();
    const { request, client } = await aRequest('Content-Length: 1000');
    const reading = read(request, memory);
    client.write('x');
    await once(request, 'data');
    client.destroy();
    expect(await refusalOf(reading)).toBe('malformed_http');
    expect(isFree(memory)).toBe(true);
  });
});

describe('the memory for bodies', () => {
  it('is bounded for each owner and for all, and counts what a body really takes', async () => {
    const memory = new BodyMemory(3 * 4_096, 2 * 4_096);
    const begin = async (owner: string) => {
      const { request, client } = await aRequest('Content-Length: 2');
      const reading = read(request, memory, PATIENT_MS, owner);
      // Some are broken off at the end of the test.
      reading.catch(() => undefined);
      client.write('x');
      await once(request, 'data');
      return { reading, client };
    };
    const first = await begin('a');
    await begin('a');
    expect(await refusalOf((await begin('a')).reading)).toBe('unavailable');
    await begin('b');
    expect(await refusalOf((await begin('c')).reading)).toBe('unavailable');
    first.client.write('y');
    expect((await first.reading).toString()).toBe('xy');
    const last = await begin('c');
    last.client.write('z');
    expect((await last.reading).toString()).toBe('xz');
  });
});
