import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DataDirs, nonRootUid } from '../../../../test/support/database/data-dirs.js';
import { OtherProcess } from '../../../../test/support/database/other-process.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { runningPostmaster } from './embedded-postmaster.js';

describe('the cluster of the embedded PostgreSQL', () => {
  const dirs = new DataDirs();
  let dataDir: string;
  let impostor: ChildProcess | undefined;

  beforeEach(async () => {
    dataDir = await dirs.nextInitialized();
  });

  afterEach(async () => {
    impostor?.kill('SIGKILL');
    impostor = undefined;
    await OtherProcess.killAll();
    await dirs.removeAll();
  });

  it('is complete or absent: files of an interrupted start are removed', async () => {
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

  it('starts if postmaster.pid names a pid that now belongs to another process', async () => {
    const pidFile = await pidFileOfStopped();
    const uid = nonRootUid();
    // Not Node, which may be installed where only root can execute it.
    impostor = spawn('sleep', ['600'], { uid, gid: uid, stdio: 'ignore' });
    await writePidFile(pidFile, [impostor.pid!, join(pidFile, '..'), 1, 1, '', '127.0.0.1', '', 'ready', '']);

    await (await open()).close();

    expect(impostor.exitCode ?? impostor.signalCode).toBeNull();
  });

  it('starts if postmaster.pid names a process that has ended, or is empty', async () => {
    const pidFile = await pidFileOfStopped();
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'exit');

    await writePidFile(pidFile, [gone.pid!, join(pidFile, '..'), 1, 1, '', '127.0.0.1', '', 'ready', '']);
    await (await open()).close();

    await writePidFile(pidFile, []);
    await (await open()).close();
  });

  it('is distinguished from the running cluster that it was copied from', async () => {
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

  it('reports both files if the stored password is wrong', async () => {
    await pidFileOfStopped();
    await rm(join(dataDir, 'postgres-password'));

    await expect(open()).rejects.toThrow(/DATA_DIR\/postgres-password .* DATA_DIR\/postgres/);
  });

  it('reports the last log lines of a server that does not start', async () => {
    const pidFile = await pidFileOfStopped();
    await writeFile(join(pidFile, '..', 'PG_VERSION'), '9\n');

    await expect(open()).rejects.toThrow(/cannot be used.*initialized by PostgreSQL version 9/s);
  });

  it('logs to a file without statement values, truncated at start if it exceeds 10 MB', async () => {
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

/** Writes the file with the owner of the cluster, as the server does. */
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
