import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { ConfigError } from '../../../src/platform/config/config.js';
import { anApp } from '../../support/app/app.js';
import { DataDirs } from '../../support/database/data-dirs.js';
import { aCopyOf, aFreshDatabase } from '../../support/database/fresh-database.js';
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

describe('the program, with a given PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await aFreshDatabase();
    env = {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      HOST: '127.0.0.1',
      PORT: '0',
    };
  });
  afterAll(async () => {
    await RcptProcess.endAll();
    await database.drop();
  });

  it('rcpt account create makes the first account; an unknown tier is refused by name', async () => {
    const create = (...more: string[]) =>
      runRcpt(['account', 'create', '--email', 'ada@example.com', ...more], env);
    const wrong = await create('--tier', 'golden');
    expect(wrong.code).toBe(64);
    expect(wrong.err).toContain('unlimited');
    const right = await create();
    expect(right.code).toBe(0);
    expect(right.out).toMatch(/live key +rcpt_live_\w{38}\n/);
  });

  it('cannot start in any role, and exits with 78, when SECRET_KEY is not the key of the database, as after a restore', async () => {
    const copy = await aCopyOf(database.url);
    const restored = { ...env, DATABASE_URL: copy.url, PUBLIC_URL: 'https://rcpt.example' };
    const SECRET_KEY = randomBytes(32).toString('base64');
    const both = await startError({ ...restored, SECRET_KEY });
    expect(both).toBeInstanceOf(ConfigError);
    expect(both.message).toMatch(/^SECRET_KEY is not the key that this database/);
    const programs = ['--api', '--worker'].map((role) =>
      RcptProcess.run(['main.js', role], { ...restored, SECRET_KEY }),
    );
    for (const program of programs) {
      expect(await program.exit()).toBe(78);
      expect(program.stderr).toMatch(/^Rcpt cannot start:\n {2}SECRET_KEY is not the key that this database/);
      expect(`${program.stdout}${program.stderr}`).not.toContain(SECRET_KEY);
    }
    const teams = (key: string) => runRcpt(['teams', 'list'], { ...restored, SECRET_KEY: key });
    expect(await teams(SECRET_KEY)).toMatchObject({ code: 78, out: '' });
    expect(await teams(env.SECRET_KEY ?? '')).toMatchObject({ code: 0, err: '' });
    expect(await teams(`${SECRET_KEY},${env.SECRET_KEY}`)).toMatchObject({ code: 0, err: '' });
    expect(await teams(SECRET_KEY)).toMatchObject({ code: 0, err: '' });
    await copy.drop();
  });

  it('cannot start when the database rejects the password, and names DATABASE_URL and the host', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2';
    const error = await startError({ ...env, DATABASE_URL: url.href });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/^DATABASE_URL: .*password authentication failed/);
    expect(error.message).toContain(url.host);
    expect(error.message).not.toContain('hunter2');
  });

  it('cannot start on a port that is in use, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const error = await startError({ ...env, PORT });
    taken.close();
    expect(error).not.toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(new RegExp(`${PORT}.*Set PORT`));
  });
});

/** The error of a start in this process. The tests of child processes show that the program prints it, and its exit code. */
async function startError(env: Record<string, string>): Promise<Error> {
  return anApp(env).then(
    async (app) => {
      await app.stop();
      throw new Error('It started');
    },
    (error: Error) => error,
  );
}
