import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { DomainError } from '../../../kernel/errors.js';
import { KeyedLimiter } from '../../../kernel/concurrency/keyed-limiter.js';
import { collectBody, readBody } from './read-body.js';

const MAX_BYTES = 10_000;
const LONG_MS = 60_000;

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

/** A request without its body, and the client that sends the body. */
async function startRequest(header: string): Promise<{ request: IncomingMessage; client: Socket }> {
  const arrival = once(server, 'request') as Promise<[IncomingMessage]>;
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  clients.push(client);
  client.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
  const [request] = await arrival;
  return { request, client };
}

const CHUNKED = 'Transfer-Encoding: chunked';
const newMemory = () => new KeyedLimiter({ total: 100_000, perKey: 50_000 });

function read(request: IncomingMessage, memory = newMemory(), timeoutMs = LONG_MS, requester = 'a') {
  return readBody(request, { maxBytes: MAX_BYTES, timeoutMs, memory, requester: requester });
}

/** The error code of a rejected body. */
async function errorCodeOf(reading: Promise<Buffer>): Promise<string> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error.definition.code;
  throw new Error('The body was accepted');
}

/** Whether the whole memory is available. */
function isFree(memory: KeyedLimiter): boolean {
  const free = memory.tryAcquire('a', 50_000) && memory.tryAcquire('b', 50_000);
  memory.release('a', 50_000);
  memory.release('b', 50_000);
  return free;
}

describe('a body', () => {
  it('is read completely in any chunks, and its memory is released', async () => {
    const memory = newMemory();
    const { request, client } = await startRequest(CHUNKED);
    const reading = read(request, memory);
    const text = 'é'.repeat(MAX_BYTES / 2);
    for (const byte of Buffer.from(text)) client.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
    client.write('0\r\n\r\n');
    expect((await reading).toString()).toBe(text);
    expect(isFree(memory)).toBe(true);
  });

  it('is rejected by its Content-Length before it arrives', async () => {
    const { request } = await startRequest(`Content-Length: ${MAX_BYTES + 1}`);
    expect(await errorCodeOf(read(request))).toBe('payload_too_large');
  });

  it('is rejected as soon as it exceeds the limit', async () => {
    const { request, client } = await startRequest(CHUNKED);
    client.write(`${(MAX_BYTES + 1).toString(16)}\r\n${'x'.repeat(MAX_BYTES + 1)}\r\n`);
    expect(await errorCodeOf(read(request))).toBe('payload_too_large');
  });

  it('is rejected after the timeout even if data still arrives', async () => {
    const memory = newMemory();
    const { request, client } = await startRequest('Content-Length: 1000');
    const sending = setInterval(() => client.write('x'), 10);
    expect(await errorCodeOf(read(request, memory, 200))).toBe('request_timeout');
    clearInterval(sending);
    expect(isFree(memory)).toBe(true);
  });

  it('that is incomplete releases its memory', async () => {
    const memory = newMemory();
    const { request, client } = await startRequest('Content-Length: 1000');
    const reading = read(request, memory);
    client.write('x');
    await once(request, 'data');
    client.destroy();
    expect(await errorCodeOf(reading)).toBe('malformed_http');
    expect(isFree(memory)).toBe(true);
  });
});

describe('the memory for bodies', () => {
  it('is limited per requester and in total, and counts allocated bytes', async () => {
    const memory = new KeyedLimiter({ total: 3 * 4_096, perKey: 2 * 4_096 });
    const begin = async (requester: string) => {
      const { request, client } = await startRequest('Content-Length: 2');
      const reading = read(request, memory, LONG_MS, requester);
      // Some are aborted at the end of the test.
      reading.catch(() => undefined);
      client.write('x');
      await once(request, 'data');
      return { reading, client };
    };
    const first = await begin('a');
    await begin('a');
    expect(await errorCodeOf((await begin('a')).reading)).toBe('unavailable');
    await begin('b');
    expect(await errorCodeOf((await begin('c')).reading)).toBe('unavailable');
    first.client.write('y');
    expect((await first.reading).toString()).toBe('xy');
    const last = await begin('c');
    last.client.write('z');
    expect((await last.reading).toString()).toBe('xz');
  });
});

describe('a body that is collected from a stream', () => {
  async function* pieces(count: number, endless = false): AsyncGenerator<Buffer> {
    for (let n = 0; n < count; n++) yield await Promise.resolve(Buffer.alloc(1_000, 'a'));
    if (endless) await new Promise(() => undefined);
  }
  const collect = (source: AsyncIterable<Buffer>, memory = newMemory(), timeoutMs = LONG_MS) =>
    collectBody(source, { maxBytes: MAX_BYTES, timeoutMs, memory, requester: 'a' });

  it('is complete, and its memory is released', async () => {
    const memory = newMemory();
    expect(await collect(pieces(10), memory)).toEqual(Buffer.alloc(10_000, 'a'));
    expect(isFree(memory)).toBe(true);
  });

  it('is refused when it is too large, and its source is closed', async () => {
    const memory = newMemory();
    const source = pieces(11);
    expect(await errorCodeOf(collect(source, memory))).toBe('payload_too_large');
    expect(isFree(memory)).toBe(true);
    expect(await source.next()).toEqual({ done: true, value: undefined });
  });

  it('is refused when its requester uses all of its memory, and others are not', async () => {
    const memory = newMemory();
    const waiting = Array.from({ length: 5 }, () => collect(pieces(9, true), memory, 300));
    const refused = waiting.map((reading) => errorCodeOf(reading));
    while (memory.tryAcquire('a', 5_000)) {
      memory.release('a', 5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await errorCodeOf(collect(pieces(9), memory))).toBe('unavailable');
    const others = { maxBytes: MAX_BYTES, timeoutMs: LONG_MS, memory, requester: 'b' };
    expect(await collectBody(pieces(9), others)).toHaveLength(9_000);
    expect(await Promise.all(refused)).toEqual(Array(5).fill('request_timeout'));
    expect(isFree(memory)).toBe(true);
  });
});
