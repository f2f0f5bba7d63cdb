import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { attacks } from './http-hostile/attacks.js';
import { Service } from './http-hostile/service.js';

/**
 * Measures the cost of hostile requests for the API process: time per request,
 * memory for incomplete bodies, descriptors for connections that the client does
 * not close, memory for pipelined requests whose responses are not read, and what
 * requests of one team with large results cost (`http-hostile/attacks.ts`). Compares
 * several builds in one run; with `--pipelined` or `--attacks` only that measurement:
 *
 *     npm run build && npm run ts -- bench/http-hostile.ts [--pipelined] [--attacks] [dist/main.js] [other/dist/main.js]
 */
const LINGER_MS = 26_000;
const BODIES = 600;
/** Just below and just above the limit. */
const BODY_BYTES = [240_000, 900_000];
const CONNECTIONS = 200;
/** Bytes of the packet of requests that each connection sends. */
const PACKET_BYTES = 65_536;
/** Connections that send one, in this order; they stay open. */
const PIPELINED = [1, 8, 60];
/** Without new memory for this time, the service has dispatched all requests. */
const SETTLED_MS = 5_000;

/** Complete requests by technique, each below 16 kB. */
const REQUESTS: Readonly<Record<string, string>> = {
  'a plain request': get('/livez'),
  'query of 8 kB, one name': get(`/livez?${'a&'.repeat(4_000)}`),
  'query of 16 kB, one name': get(`/livez?${'a&'.repeat(8_000)}`),
  'query of 16 kB, one name, no route': get(`/none?${'a&'.repeat(8_000)}`),
  'query of 16 kB, many names': get(`/livez?${Array.from({ length: 2_600 }, (_, i) => `a${i}`).join('&')}`),
  'query of 16 kB, percent signs': get(`/livez?${'%25'.repeat(5_300)}`),
  'query of 16 kB, quotes and plus signs': get(`/livez?a=${'"+'.repeat(8_000)}`),
  'path of 16 kB, slashes': get('/'.repeat(16_000)),
  'path of 16 kB, undecodable': get(`/%zz${'%2f'.repeat(5_200)}`),
  'Authorization of 15 kB, spaces': get('/v1/me', `Authorization: Bearer ${' '.repeat(15_000)}x y`),
  'Authorization of 15 kB, a word': get('/v1/me', `Authorization: Bearer ${'a'.repeat(15_000)}`),
  'Content-Type of 15 kB, spaces': post('/signup', `Content-Type: application/json${' '.repeat(15_000)}x`),
  'Content-Type of 15 kB, parameters': post(
    '/signup',
    `Content-Type: application/json${' ;charset=utf-8'.repeat(1_000)}`,
  ),
  'Stripe-Signature of 15 kB': post('/webhooks/stripe', `Stripe-Signature: ${'t=1,v1=,'.repeat(1_850)}`),
  'X-Forwarded-For of 15 kB': get('/livez', `X-Forwarded-For: ${'1,'.repeat(7_500)}`),
  '1,500 headers': get('/livez', Array.from({ length: 1_500 }, (_, i) => `a${i}:b`).join('\r\n')),
};

function get(target: string, headers = 'X-A: b'): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`;
}

function post(target: string, headers: string): string {
  return `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n${headers}\r\n\r\n{}`;
}

async function measure(main: string) {
  const service = await Service.start(main);
  try {
    return {
      times: await times(service),
      'five queries at once, ms that a plain request waits': await behindFive(service),
      'MB before the bodies': await service.megabytes(),
      ...(await bodies(service, BODY_BYTES[0])),
      ...(await bodies(service, BODY_BYTES[1])),
      ...(await descriptors(service)),
    };
  } finally {
    await service.end();
  }
}

async function times(service: Service): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const [name, request] of Object.entries(REQUESTS)) {
    const runs = [];
    for (let run = 0; run < 3; run++) runs.push(await service.time(request));
    const best = runs.sort((a, b) => a.ms - b.ms)[0];
    rows[name] = `${best?.status} in ${best?.ms.toFixed(1)} ms`;
  }
  return rows;
}

async function behindFive(service: Service): Promise<number> {
  const hostile = Array.from({ length: 5 }, () => service.time(get(`/livez?${'a&'.repeat(8_000)}`)));
  await pause(20);
  const { ms } = await service.time(get('/livez'));
  await Promise.all(hostile);
  return Math.round(ms);
}

/** Incomplete bodies with an invalid signature. */
async function bodies(service: Service, bytes = 0) {
  const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
  const head = `POST /webhooks/stripe HTTP/1.1\r\nHost: a\r\nStripe-Signature: ${signature}\r\nContent-Length: ${bytes}\r\n\r\n`;
  const body = Buffer.alloc(bytes - 1, 'x');
  const sockets = await Promise.all(Array.from({ length: BODIES }, () => service.connect()));
  for (const socket of sockets) {
    socket.resume();
    socket.write(head);
    socket.write(body);
  }
  let most = 0;
  for (let look = 0; look < 40; look++) {
    await pause(200);
    most = Math.max(most, await service.megabytes());
  }
  for (const socket of sockets) socket.destroy();
  return { [`MB with ${BODIES} unfinished bodies of ${bytes} bytes`]: most };
}

/** Number of descriptors that remain for connections kept open by the client. */
async function descriptors(service: Service) {
  await pause(1_000);
  const before = await service.descriptors();
  const held: Record<string, string> = {
    'half-sent headers': 'GET /livez HTTP/1.1\r\nX-A: b',
    'what is no HTTP': 'GARBAGE\r\n\r\n',
    'a refused body that never ends': 'POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{',
  };
  const all: Socket[] = [];
  const kinds = Object.entries(held).map(async ([kind, bytes]) => {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => service.connect()));
    for (const socket of sockets) socket.resume().write(bytes);
    all.push(...sockets);
    return { kind, sockets };
  });
  await Promise.all(kinds);
  await pause(LINGER_MS);
  const left = (await service.descriptors()) - before;
  for (const socket of all) socket.destroy();
  return { [`descriptors left of ${CONNECTIONS * kinds.length} after ${LINGER_MS / 1000} s`]: left };
}

/** Requests that are sent without reading responses. For each target a new service, whose memory did not grow before. */
async function pipelined(main: string): Promise<Record<string, Record<string, number>>> {
  const rows: Record<string, Record<string, number>> = {};
  for (const target of ['/metrics', '/rcpt.js', '/console', '/v1/me']) {
    const service = await Service.start(main);
    try {
      rows[target] = await unread(service, target);
    } finally {
      await service.end();
    }
  }
  return rows;
}

/** MB at most, by the number of connections; and the milliseconds that a plain request waits meanwhile. */
async function unread(service: Service, target: string): Promise<Record<string, number>> {
  const bytes = await use(service, target);
  const request = get(target, `Authorization: Bearer ${service.key}`);
  const packet = request.repeat(Math.floor(PACKET_BYTES / request.length));
  const row: Record<string, number> = { 'bytes of a body': bytes, 'MB before': await service.megabytes() };
  const sockets: Socket[] = [];
  for (const count of PIPELINED) {
    const connected = sockets.length;
    while (sockets.length < count) sockets.push((await service.connect()).pause());
    for (const socket of sockets.slice(connected)) socket.write(packet);
    const { ms } = await service.time(get('/livez'));
    row[`MB, ${count} connections`] = await settledMegabytes(service);
    row[`ms, ${count} connections`] = Math.round(ms);
  }
  for (const socket of sockets) socket.destroy();
  return row;
}

async function settledMegabytes(service: Service): Promise<number> {
  let most = await service.megabytes();
  for (let since = performance.now(); performance.now() - since < SETTLED_MS; await pause(100)) {
    const now = await service.megabytes();
    if (now > most) [most, since] = [now, performance.now()];
  }
  return most;
}

/** Requests each route once, so that the metrics have the size of those of a service in use. */
async function use(service: Service, target: string): Promise<number> {
  const url = `http://127.0.0.1:${service.port}`;
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
  for (const path of Object.keys(paths))
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
      await (await fetch(url + path.replaceAll(/[{}]/g, ''), { method })).arrayBuffer();
  await pause(1_000);
  const headers = { Authorization: `Bearer ${service.key}`, 'Accept-Encoding': 'identity' };
  return (await (await fetch(url + target, { headers })).arrayBuffer()).byteLength;
}

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isPipelinedOnly = process.argv.includes('--pipelined');
const areAttacksOnly = process.argv.includes('--attacks');
for (const main of paths.length > 0 ? paths : ['dist/main.js']) {
  process.stdout.write(`\n${main}\n`);
  if (!isPipelinedOnly) console.table(await attacks(main));
  if (areAttacksOnly) continue;
  if (!isPipelinedOnly) {
    const { times: rows, ...figures } = await measure(main);
    console.table({ ...rows, ...figures });
  }
  console.table(await pipelined(main));
}
