import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { ConfigError } from '../../../src/platform/config/config.js';
import { CHUNKS_QUEUE } from '../../../src/modules/lists/bulk/domain/bulk-queue.js';
import { anApp } from '../../support/app/app.js';
import { samplesOf } from '../../support/app/samples.js';
import { aCopyOf, aFreshDatabase } from '../../support/database/fresh-database.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

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

describe('a worker process', () => {
  it('serves metrics next to its health, including those of the process', async () => {
    const app = await anApp();
    const env = { ...app.shared, PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: 'https://rcpt.example' };
    const worker = RcptProcess.run(['main.js', '--worker'], env);
    const url = `${await worker.ready()}/metrics`;
    const scrape = async () => samplesOf(await (await fetch(url)).text());
    const waiting = `rcpt_queue_waiting{queue="${CHUNKS_QUEUE}"}`;
    let samples = await scrape();
    // A value that arrives late is left out of that response.
    while (!samples.has(waiting)) samples = await scrape();
    expect(samples.get(waiting)).toBe(0);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(await worker.end()).toBe(0);
    await app.stop();
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
