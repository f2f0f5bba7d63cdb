import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DataDirs, plainUser } from '../../../test/support/data-dirs.js';
import { OtherProcess } from '../../../test/support/other-process.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { runningPostmaster } from './embedded-postmaster.js';

describe('the cluster of the embedded PostgreSQL', () => {
  const dirs = new DataDirs();
  let dataDir: string;
  let impostor: ChildProcess | undefined;

  beforeEach(async () => {
    dataDir = await dirs.nextUsed();
  });

  afterEach(async () => {
    impostor?.kill('SIGKILL');
    impostor = undefined;
    await OtherProcess.killAll();
    await dirs.removeAll();
  });

  afterAll(() => DataDirs.forgetUsed());

  it('is whole or not there: what a start killed in the middle has left is cleared away', async () => {
    dataDir = await dirs.next();
    const home = join(dataDir, 'postgres');
    const killed = new OtherProcess({ dataDir });
    await until(async () =>
      (await readdir(home).catch(() => [])).some((name) => name.startsWith('cluster-')),
    );
    await killed.kill();
    expect(await readdir(home)).not.toContain('cluster');
    await mkdir(join(home, 'cluster-left', 'base'), { recursive: true });
    await writeFile(join(home, 'cluster-left.password'), 'secret');

    await (await open()).close();

    expect((await readdir(home)).filter((name) => name.startsWith('cluster-left'))).toEqual([]);
  });

  it('starts although its postmaster.pid names what is now another process', async () => {
    const pidFile = await pidFileOfStopped();
    const uid = plainUser();
    impostor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
      uid,
      gid: uid,
      stdio: 'ignore',
    });
    await writePidFile(pidFile, [impostor.pid!, join(pidFile, '..'), 1, 1, '', '127.0.0.1', '', 'ready', '']);

    await (await open()).close();

    expect(impostor.exitCode ?? impostor.signalCode).toBeNull();
  });

  it('starts although its postmaster.pid names a process that is gone, or is empty', async () => {
    const pidFile = await pidFileOfStopped();
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'exit');

    await writePidFile(pidFile, [gone.pid!, join(pidFile, '..'), 1, 1, '', '127.0.0.1', '', 'ready', '']);
    await (await open()).close();

    await writePidFile(pidFile, []);
    await (await open()).close();
  });

  it('is not mistaken for the one it was copied from while that one ran', async () => {
    const pidFile = await pidFileOfStopped();
    const copy = await dirs.next();
    await promisify(execFile)('cp', ['-a', dataDir, copy]);
    const original = await open();
    await promisify(execFile)('cp', ['-a', pidFile, join(copy, 'postgres', 'cluster')]);

    const other = await EmbeddedPostgres.open({ dataDir: copy, log: () => undefined });

    expect(new URL(other.url).port).not.toBe(new URL(original.url).port);
    await other.close();
    expect(await runningPostmaster(join(pidFile, '..'))).toBeDefined();
    await original.close();
  });

  it('refuses to open with a password that is not its own, and says which files disagree', async () => {
    await pidFileOfStopped();
    await rm(join(dataDir, 'postgres-password'));

    await expect(open()).rejects.toThrow(/DATA_DIR\/postgres-password .* DATA_DIR\/postgres/);
  });

  it('gives the last words of a server that does not start', async () => {
    const pidFile = await pidFileOfStopped();
    await writeFile(join(pidFile, '..', 'PG_VERSION'), '9\n');

    await expect(open()).rejects.toThrow(/cannot be used.*initialized by PostgreSQL version 9/s);
  });

  it('logs beside itself, without the values of statements, and never more than 10 MB over a start', async () => {
    const pidFile = await pidFileOfStopped();
    const log = join(pidFile, '..', '..', 'postgres.log');
    await truncate(log, 11 * 1024 * 1024);

    const postgres = await open();
    await expect(ask(postgres.url, `select 'jane@example.com'::int`)).rejects.toThrow('jane@example.com');
    await postgres.close();

    const logged = await readFile(log, 'utf8');
    expect(logged.length).toBeLessThan(100_000);
    expect(logged).toContain('ready to accept connections');
    expect(logged).not.toContain('jane');
  });

  function open(): Promise<EmbeddedPostgres> {
    return EmbeddedPostgres.open({ dataDir, log: () => undefined });
  }

  async function pidFileOfStopped(): Promise<string> {
    return join(await dirs.homeOf(dataDir), 'cluster', 'postmaster.pid');
  }
});

/** Owned like the cluster, as the server would have left it. */
async function writePidFile(path: string, lines: (string | number)[]): Promise<void> {
  await writeFile(path, lines.join('\n'), { mode: 0o600 });
  const { uid, gid } = await stat(join(path, '..'));
  await chown(path, uid, gid);
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await nextTurn();
}
