import { randomInt } from 'node:crypto';
import { chown, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { usableBinaries, type PostgresBinaries } from './embedded-binaries.js';
import { makeWhole, type EmbeddedHome } from './embedded-home.js';
import { removeStalePidFile, runningPostmaster, type Postmaster } from './embedded-postmaster.js';
import { openSession } from './embedded-session.js';

const START_SECONDS = 30;
const MAX_STARTS = 5;
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const LOG_LINES_SHOWN = 10;

/** Passed on the command line and not in postgresql.conf, so that they apply to existing clusters too. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements and their values may contain addresses and are not logged. The caller receives the error.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/**
 * Opens a session with the server of the cluster and starts the server if it does not run. If several
 * processes start it at the same time, PostgreSQL lets one server run, and all processes use it.
 *
 * @param packageDir directory of the npm package with the binaries
 * @throws Error with the last lines of the server log if no server is ready within 30 s
 */
export async function joinServer(
  home: EmbeddedHome,
  packageDir: string,
  password: string,
): Promise<{ client: Client; server: Postmaster }> {
  const timeout = AbortSignal.timeout(START_SECONDS * 1_000);
  let problem = 'it does not become ready';
  for (let starts = 0; !timeout.aborted && starts < MAX_STARTS;) {
    const server = await runningPostmaster(home.cluster);
    if (server?.ready) {
      const client = await openSession(server.port, password);
      if (typeof client !== 'string') return { client, server };
      problem = client;
    } else if (!server) {
      // The port may be in use, or processes of a killed server may not have ended yet.
      await pause(100 * starts++);
      problem = (await startServer(home, packageDir, password)) ?? problem;
    }
    await pause(10);
  }
  throw new Error(`The embedded PostgreSQL in ${home.directory} cannot be used: ${problem}`);
}

/** @returns null when the server is ready, otherwise the reason why it did not start. */
async function startServer(home: EmbeddedHome, packageDir: string, password: string): Promise<string | null> {
  const { cluster, directory } = home;
  const binaries = await usableBinaries(packageDir, home);
  await makeWhole(cluster, (draft) => createCluster(draft, home, binaries, password));
  await removeLeftovers(directory, binaries);
  // Another process may have started its server while the cluster was created.
  if (await runningPostmaster(cluster)) return null;
  await removeStalePidFile(cluster);
  const log = join(directory, 'postgres.log');
  await prepareLog(log, home);
  // A dynamic port (RFC 6335 §6). If it is in use, the next attempt uses another one.
  const settings = Object.entries({ ...SETTINGS, port: randomInt(49_152, 65_536) });
  const options = settings.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
  try {
    // pg_ctl makes a process group: Ctrl-C must not stop the server before this process has shut down.
    const files = [`--pgdata=${cluster}`, `--log=${log}`];
    await binaries.run('pg_ctl', ['start', ...files, `--options=${options}`, `--timeout=${START_SECONDS}`]);
    return null;
  } catch {
    return (await readFile(log, 'utf8')).trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  }
}

/** @param draft where to create it. @throws Error with the message of initdb */
async function createCluster(
  draft: string,
  { account }: EmbeddedHome,
  binaries: PostgresBinaries,
  password: string,
) {
  const [folder, passwordFile] = [dirname(draft), `${draft}.password`];
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [passwordFile, folder]) await chown(path, account.uid, account.gid);
  // Without --auth initdb trusts every local account; without --locale it uses the locale of this process.
  const options = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=postgres'];
  await binaries.run('initdb', [...options, `--pwfile=${passwordFile}`, `--pgdata=${draft}`]);
}

/** Removes files of interrupted starts and of older versions, as far as no other process writes to them. */
async function removeLeftovers(directory: string, { packageDir }: PostgresBinaries): Promise<void> {
  const isLeftover = (name: string) => /^(cluster|binaries)-/.test(name) && name !== basename(packageDir);
  const leftovers = (await readdir(directory)).filter(isLeftover);
  await Promise.allSettled(leftovers.map((name) => rm(join(directory, name), { recursive: true })));
}

async function prepareLog(path: string, { account }: EmbeddedHome): Promise<void> {
  await writeFile(path, '', { flag: 'a', mode: 0o600 });
  if (account) await chown(path, account.uid, account.gid);
  if ((await stat(path)).size > MAX_LOG_BYTES) await truncate(path);
}
