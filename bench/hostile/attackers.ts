import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { attacks, TARGETS, type Attack } from './attacks.js';

/** What the attackers are told. */
export interface Orders {
  url: string;
  keys: readonly string[];
  /** The path of a source of events. */
  inbound: string;
  seconds: number;
}

/** Requests that wait for their response, of all teams. */
const AT_ONCE = 24;
/** Teams that send a body which never ends. */
const DRIPPING = 10;
const DRIP_EVERY_MS = 2_000;

const { url, keys, inbound, seconds } = workerData as Orders;
const all = Object.values(attacks(inbound));
// From now on: making the bodies takes a while.
parentPort?.postMessage('ready');
const until = performance.now() + seconds * 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const statuses = new Map<string, number>();
const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);

function send(key: string, { path, type, body, headers }: Attack): Promise<void> {
  const sent = {
    'Content-Type': type,
    'Content-Length': body.length,
    Authorization: `Bearer ${key}`,
    ...headers,
  };
  return new Promise((resolve) => {
    const call = request(`${url}${path}`, { method: 'POST', agent, headers: sent }, (response) => {
      count(String(response.statusCode));
      response.resume().once('close', resolve);
    });
    const late = setTimeout(() => call.destroy(), Math.max(0, until - performance.now()));
    call.once('close', () => {
      clearTimeout(late);
      resolve();
    });
    call.once('error', () => count('no response'));
    call.end(body);
  });
}

async function attack(first: number): Promise<void> {
  for (let n = first; performance.now() < until; n += AT_ONCE) {
    const one = all[n % all.length];
    const key = keys[n % keys.length];
    if (one !== undefined && key !== undefined) await send(key, one);
    // Refused requests of a team do not replace the others.
    await pause(20);
  }
}

async function drip(key: string): Promise<void> {
  const { port } = new URL(url);
  while (performance.now() < until) {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.on('error', () => undefined).resume();
    socket.write(
      `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\nContent-Length: 5000000\r\n\r\nemail,outcome\n${'a@example.com,opened\n'.repeat(4_000)}`,
    );
    while (performance.now() < until && !socket.destroyed) {
      socket.write('a');
      await pause(DRIP_EVERY_MS);
    }
    socket.destroy();
  }
}

async function ask(first: number): Promise<void> {
  for (let n = first; performance.now() < until; n++) {
    const path = TARGETS[n % TARGETS.length] ?? '/';
    await new Promise<void>((resolve) => {
      const call = request({ agent, port: new URL(url).port, host: '127.0.0.1', path }, (response) =>
        response.resume().once('close', resolve),
      );
      call.once('error', () => resolve());
      call.end();
    });
    await pause(50);
  }
}

await Promise.all([
  ...Array.from({ length: AT_ONCE }, (_, n) => attack(n)),
  ...keys.slice(0, DRIPPING).map(drip),
  ask(0),
  ask(2),
]);
agent.destroy();
parentPort?.postMessage(Object.fromEntries(statuses));
