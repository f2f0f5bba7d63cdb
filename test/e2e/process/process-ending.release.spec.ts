import { afterAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import { anApp } from '../../support/app/app.js';
import { DataDirs } from '../../support/database/data-dirs.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';

const dataDirs = new DataDirs();
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await RcptProcess.endAll();
  await dataDirs.removeAll();
});

/** A connection that sends this text and nothing more. */
async function aConnection(url: string, text = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** A running request: its body is never complete. */
function halfABody(url: string, key: string): Promise<Socket> {
  const head = ['POST /v1/verify/bulk HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
  const rest = ['Content-Type: application/json', 'Content-Length: 1000', '', '{"emails":['];
  return aConnection(url, [...head, ...rest].join('\r\n'));
}

const keyOf = ({ stdout }: RcptProcess) => /rcpt_test_\w+/.exec(stdout)?.[0] ?? '';

async function postgresPid(dataDir: string): Promise<number> {
  return Number(
    (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
  );
}

/** Resolves when no such process runs. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(20);
  }
}

// npm forwards the signal, and exits with the code of the service. The ending of one without a request that lasts is in `process.spec.ts`.
it('npm start closes idle connections at SIGTERM, refuses new ones, waits for requests, and exits at a later second signal with its PostgreSQL', async () => {
  const dataDir = await dataDirs.nextInitialized();
  const program = RcptProcess.npmStart({ DATA_DIR: dataDir, PORT: '0' });
  const url = await program.ready();
  const postgres = await postgresPid(dataDir);
  const idle = await Promise.all([aConnection(url), aConnection(url, 'GET /livez HTTP/1.1\r\nX-A: b')]);
  await halfABody(url, keyOf(program));
  program.child.kill('SIGTERM');
  // Two signals at once count as one: npm forwards a signal that a terminal has sent to both.
  program.child.kill('SIGINT');
  await Promise.all(idle.map((connection) => once(connection, 'close')));
  const late = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  const [refused] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
  expect(program.stdout).toMatch(/"graceSeconds":20,.*"msg":"draining"/);
  await pause(1_500);
  expect(program.child.exitCode).toBeNull();
  expect(await program.end('SIGTERM')).toBe(0);
  expect(program.stderr).toContain('Rcpt exits before all requests and jobs have ended');
  expect(program.stdout).not.toMatch(/"msg":"ended"/);
  await gone(postgres);
});

it('a service that stops aborts a request that never ends, after its grace and not before', async () => {
  const app = await anApp({}, { graceMs: 500 });
  const { testKey } = await app.anAccount();
  const steps: string[] = [];
  const busy = await halfABody(app.url, testKey);
  busy.once('close', () => steps.push('closed'));
  app.service.app.get(Lifecycle).onDeadline(() => steps.push('grace has ended'));
  await app.stop();
  steps.push('stopped');
  expect(steps).toEqual(['grace has ended', 'closed', 'stopped']);
  expect(app.logged()).toContain('requests and jobs are aborted at the end of the grace');
});
