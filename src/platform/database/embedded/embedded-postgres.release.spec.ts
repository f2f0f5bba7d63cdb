import { afterEach, describe, expect, it } from '@jest/globals';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataDirs } from '../../../../test/support/database/data-dirs.js';
import { OtherProcess } from '../../../../test/support/database/other-process.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { runningPostmaster } from './embedded-postmaster.js';

describe('the embedded PostgreSQL', () => {
  const dirs = new DataDirs();

  afterEach(async () => {
    await OtherProcess.killAll();
    await dirs.removeAll();
  });

  it('creates all files at the first open, readable only by their owner', async () => {
    const dataDir = await dirs.next();
    const postgres = await open(dataDir);
    const home = await dirs.homeOf(dataDir);

    await expect(ask(postgres.url, 'show server_encoding')).resolves.toBe('UTF8');
    await expect(ask(postgres.url, 'select datcollate from pg_database')).resolves.toBe('C');
    await expect(ask(postgres.url, 'show listen_addresses')).resolves.toBe('127.0.0.1');
    expect(await modeOf(join(dataDir, 'postgres-password'))).toBe(0o600);
    expect(await modeOf(join(home, 'cluster'))).toBe(0o700);
    expect(await modeOf(join(home, 'postgres.log'))).toBe(0o600);
    const drafts = (await readdir(home)).filter((name) => name.startsWith('cluster-'));
    expect(drafts).toEqual([]);
    await postgres.close();
  });

  it('rejects local connections without the password', async () => {
    const postgres = await open(await dirs.nextInitialized());
    const url = new URL(postgres.url);
    url.password = 'guess';

    await expect(ask(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    await postgres.close();
  });

  it('keeps its data across restarts, and is stopped by the last process that closes', async () => {
    const dataDir = await dirs.nextInitialized();
    const first = await open(dataDir);
    const second = await open(dataDir);
    expect(second.url).toBe(first.url);
    await ask(first.url, 'create table rows_before ()');

    await first.close();
    await expect(ask(second.url, 'select count(*) from rows_before')).resolves.toBe('0');
    await second.close();
    await second.close();
    expect(await serverOf(dataDir)).toBeUndefined();

    const third = await open(dataDir);
    await expect(ask(third.url, 'select count(*) from rows_before')).resolves.toBe('0');
    await third.close();
  });

  it('keeps running for another process after the process that started it closes', async () => {
    const dataDir = await dirs.nextInitialized();
    const starter = await open(dataDir);
    const other = new OtherProcess({ dataDir });
    expect(await other.url).toBe(starter.url);

    await starter.close();
    await expect(ask(await other.url, 'select 1')).resolves.toBe(1);

    await other.close();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  it('rejects a second service, and names the process of the first one', async () => {
    const dataDir = await dirs.nextInitialized();
    const other = new OtherProcess({ dataDir, service: true });
    await other.url;

    await expect(open(dataDir, true)).rejects.toThrow(
      `Another Rcpt (pid ${other.pid}) already runs on this DATA_DIR (${dataDir})`,
    );
    await expect(ask(await other.url, 'select 1')).resolves.toBe(1);
  });

  it('ends with a service that exits without closing, and not with a command that does', async () => {
    const dataDir = await dirs.nextInitialized();
    const service = new OtherProcess({ dataDir, service: true });
    const url = await service.url;
    const command = new OtherProcess({ dataDir });
    await command.url;
    await command.exit();
    await expect(open(dataDir, true)).rejects.toThrow('already runs');
    await expect(ask(url, 'select 1')).resolves.toBe(1);

    await service.exit();
    while (await serverOf(dataDir)) await pause(20);
  });

  it('connects to the server of a killed service, and another service can start', async () => {
    const dataDir = await dirs.nextInitialized();
    const other = new OtherProcess({ dataDir, service: true });
    const url = await other.url;
    await other.kill();

    const postgres = await open(dataDir, true);
    expect(postgres.url).toBe(url);

    await postgres.close();
    expect(await serverOf(dataDir)).toBeUndefined();
  });

  it('starts once when several processes start at the same time', async () => {
    const dataDir = await dirs.next();
    const others = [new OtherProcess({ dataDir }), new OtherProcess({ dataDir })];

    const postgres = await open(dataDir);

    for (const other of others) expect(await other.url).toBe(postgres.url);
    await expect(ask(postgres.url, 'select 1')).resolves.toBe(1);
    await postgres.close();
  });

  it('never returns a server that is being stopped', async () => {
    const dataDir = await dirs.nextInitialized();
    let postgres = await open(dataDir);
    for (let attempt = 0; attempt < 5; attempt++) {
      const [next] = await Promise.all([open(dataDir), postgres.close()]);
      await expect(ask(next.url, 'select 1')).resolves.toBe(1);
      postgres = next;
    }
    await postgres.close();
  });

  it('logs a server crash, closes without an error, and starts again', async () => {
    const dataDir = await dirs.nextInitialized();
    let report: (line: string) => void = () => undefined;
    const reported = new Promise<string>((resolve) => (report = resolve));
    const postgres = await EmbeddedPostgres.open({ dataDir, log: (line) => report(line) });

    process.kill((await serverOf(dataDir))!.pid, 'SIGKILL');
    await expect(reported).resolves.toContain('closed the connection');
    await postgres.close();

    const next = await open(dataDir);
    await expect(ask(next.url, 'select 1')).resolves.toBe(1);
    await next.close();
  });

  async function serverOf(dataDir: string) {
    return runningPostmaster(join(await dirs.homeOf(dataDir), 'cluster'));
  }
});

function open(dataDir: string, service = false): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.open({ dataDir, service, log: () => undefined });
}

/** The first column of the first row; a count comes as text. */
async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
