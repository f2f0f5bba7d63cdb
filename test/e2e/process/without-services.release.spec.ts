import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { DataDirs } from '../../support/database/data-dirs.js';
import { KeepAliveClient } from '../../support/http/keep-alive-client.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const CURL = /curl -H 'Authorization: Bearer (rcpt_(live|test)_\w+)' '(http:[^']+)'/g;

describe('the program, on a machine without services', () => {
  const dataDirs = new DataDirs();
  let dataDir: string;
  let first: RcptProcess;
  /** The process after a `kill -9`. */
  let again: RcptProcess;
  const start = () => RcptProcess.run(['main.js'], { DATA_DIR: dataDir, PORT: '0' });
  const testKey = () => /rcpt_test_\w+/.exec(first.stdout)?.[0] ?? '';

  beforeAll(async () => {
    dataDir = await dataDirs.next();
    first = start();
    await first.ready();
  });
  afterAll(async () => {
    await RcptProcess.endAll();
    await dataDirs.removeAll();
  });

  it('prints a live key, a test key and working curl commands at the first start', async () => {
    const lines = [...first.stdout.matchAll(CURL)];
    expect(lines.map(([, , mode]) => mode)).toEqual(['test', 'test', 'live']);
    const reasons = [];
    for (const [, key, mode, url] of lines) {
      if (mode === 'live') continue;
      const answer = await fetch(url ?? '', { headers: { Authorization: `Bearer ${key}` } });
      reasons.push(((await answer.json()) as { reason: string }).reason);
    }
    expect(reasons).toEqual(['accepted_email', 'mailbox_not_found']);
  });

  it('prints only JSON lines without a terminal', () => {
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(JSON.parse(line)).toBeInstanceOf(Object);
    expect(first.stderr).toBe('');
  });

  it('stores its secrets in files that only their owner may read', async () => {
    const names = await readdir(dataDir);
    expect(names).toEqual(expect.arrayContaining(['postgres', 'postgres-password', 'secret-key']));
    for (const name of ['postgres-password', 'secret-key']) {
      expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('refuses a second start on the same DATA_DIR, with the process that holds it', async () => {
    const second = start();
    expect(await second.exit()).toBe(1);
    expect(second.stderr).toContain(String(first.child.pid));
    expect(second.stderr).toContain(dataDir);
    expect((await fetch(`${await first.ready()}/readyz`)).status).toBe(200);
  });

  it('creates accounts from the command line while it runs', async () => {
    const create = ['account', 'create', '--email', 'ada@example.com', '--json'];
    const { code, out } = await runRcpt(create, { DATA_DIR: dataDir });
    expect(code).toBe(0);
    const { live_key } = JSON.parse(out) as { live_key: string };
    const answer = await fetch(`${await first.ready()}/v1/verify?email=nobody`, {
      headers: { Authorization: `Bearer ${live_key}` },
    });
    expect(answer.status).toBe(200);
  });

  it('starts again after kill -9 with its keys, and prints none', async () => {
    await first.end('SIGKILL');
    again = start();
    const url = await again.ready();
    expect(again.stdout).not.toMatch(/rcpt_(live|test)_/);
    const answer = await fetch(`${url}/v1/verify?email=jane@example.com`, {
      headers: { Authorization: `Bearer ${testKey()}` },
    });
    expect(answer.status).toBe(200);
  });

  it('shuts down under load: answers every request, resets no connection, and exits with 0, without a wait for clients with incomplete headers or unread refusals', async () => {
    const url = await again.ready();
    const askers = (count: number, email: string) =>
      Array.from({ length: count }, () => new KeepAliveClient(`${url}/v1/verify?email=${email}`, testKey()));
    const quick = askers(16, 'jane@example.com');
    // Takes two seconds, longer than the shutdown waits for idle connections.
    const slow = askers(4, 'slow@example.com');
    await Promise.all(quick.map((client) => client.isWarm));
    const texts = [
      '',
      'GET /livez HTTP/1.1\r\nX-A: b',
      'GARBAGE\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET',
    ];
    const incomplete = texts.map((text) => {
      const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      client.on('error', () => undefined);
      client.write(text);
      return client;
    });
    await Promise.all(incomplete.map((client) => once(client, 'connect')));
    const exit = again.end('SIGTERM');
    const clients = [...quick, ...slow];
    const ends = await Promise.all(clients.map((client) => client.end));
    expect(new Set(ends)).toEqual(new Set(['told to ask elsewhere']));
    expect(new Set(clients.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
    expect(await exit).toBe(0);
    expect(again.stdout).not.toContain('aborted at the end of the grace');
    expect(again.stdout).toMatch(/"msg":"ended"/);
    for (const client of incomplete) client.destroy();
  });

  it('exits with 78 when SECRET_KEY is not the key of its embedded database', async () => {
    const SECRET_KEY = randomBytes(32).toString('base64');
    const wrong = await runRcpt(['teams', 'list'], { DATA_DIR: dataDir, SECRET_KEY });
    expect([wrong.code, wrong.out]).toEqual([78, '']);
    expect(wrong.err).toMatch(/^rcpt: SECRET_KEY is not the key that this database was written with/);
    expect(await runRcpt(['teams', 'list'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' });
  });

  it('in production refuses to start without DATABASE_URL, with the remedy', async () => {
    const program = RcptProcess.run(['main.js'], { NODE_ENV: 'production', DATA_DIR: dataDir });
    expect(await program.exit()).toBe(78);
    expect(program.stderr).toContain('DATABASE_URL is not set');
    expect(program.stderr).toContain('postgresql://');
  });

  it('exits with 78 when DATA_DIR is a file, and names the variable', async () => {
    const { code, out, err } = await runRcpt(['teams', 'list'], { DATA_DIR: join(dataDir, 'secret-key') });
    expect([code, out]).toEqual([78, '']);
    expect(err).toMatch(
      /^rcpt: DATA_DIR \(\S+\/secret-key\) cannot be used: .*not a directory.*set DATA_DIR/,
    );
  });

  const WITHOUT_SECRET_KEY = { DATABASE_URL: 'postgresql://127.0.0.1:9/rcpt' };
  it.each([
    ['main.js', []],
    ['../bin/rcpt.js', ['verify', 'jane@example.com']],
  ])(
    'with DATABASE_URL and without SECRET_KEY exits 78, and names the variable: %s %j',
    async (script, args) => {
      const program = RcptProcess.run([script, ...args], WITHOUT_SECRET_KEY);
      expect([await program.exit(), program.stdout]).toEqual([78, '']);
      expect(program.stderr).toContain('SECRET_KEY is not set');
    },
  );
  it.each([[['users', 'list', '--json']], [['doctor', '--offline']], [['migrate']]])(
    'with DATABASE_URL and without SECRET_KEY exits 78, and names the variable: rcpt %j',
    async (args) => {
      const { code, out, err } = await runRcpt(args, WITHOUT_SECRET_KEY);
      expect([code, out]).toEqual([78, '']);
      expect(err).toContain('SECRET_KEY is not set');
    },
  );

  it.each(['--help', '-h'])('prints its usage with %s, without a configuration', async (flag) => {
    const program = RcptProcess.run(['main.js', flag], { NODE_ENV: 'production', PORT: 'x' });
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
    expect(program.stdout).toMatch(/^usage: node dist\/main\.js \[--api \| --worker\] \[--paused\]\n/);
  });

  it.each(['--api', '--worker'])('with %s exits 78 without PUBLIC_URL, and names it', async (flag) => {
    const program = RcptProcess.run(['main.js', flag], { DATA_DIR: dataDir });
    expect([await program.exit(), program.stdout]).toEqual([78, '']);
    expect(program.stderr).toContain('PUBLIC_URL is not set');
  });

  it('suggests the valid arguments for an unknown one', async () => {
    const program = RcptProcess.run(['main.js', '--both']);
    expect(await program.exit()).toBe(64);
    expect(program.stderr).toContain('--api | --worker');
  });
});
