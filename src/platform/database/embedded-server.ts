import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { usableBinaries, type PostgresBinaries } from './embedded-binaries.js';
import { ensureCluster } from './embedded-cluster.js';
import type { EmbeddedHome } from './embedded-home.js';
import { removeStalePidFile, runningPostmaster, type Postmaster } from './embedded-postmaster.js';
import { EmbeddedSession } from './embedded-session.js';

/** Parameters to connect to a server or to start one. */
export interface ServerOptions {
  readonly home: EmbeddedHome;
  /** Directory of the npm package with the binaries. */
  readonly packageDir: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

const START_MS = 30_000;
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
 * @throws Error with the last lines of the server log if no server is ready within 30 s
 */
export async function joinServer(
  options: ServerOptions,
): Promise<{ session: EmbeddedSession; server: Postmaster }> {
  const { home, password, log } = options;
  const timeout = AbortSignal.timeout(START_MS);
  let problem = 'it does not become ready';
  for (let starts = 0; !timeout.aborted && starts < MAX_STARTS;) {
    const server = await runningPostmaster(home.cluster);
    if (server?.ready) {
      const session = await EmbeddedSession.open(server.port, password, log);
      if (session instanceof EmbeddedSession) return { session, server };
      problem = session;
    } else if (!server) {
      // The port may be in use, or a killed server may not have ended yet.
      await pause(100 * starts++);
      problem = (await startServer(options)) ?? problem;
    }
    await pause(10);
  }
  throw new Error(`The embedded PostgreSQL in ${home.directory} cannot be used: ${problem}`);
}

/** @returns null when the server is ready, otherwise the reason why it did not start. */
async function startServer({ home, packageDir, password }: ServerOptions): Promise<string | null> {
  const binaries = await usableBinaries(packageDir, home);
  await ensureCluster(home, binaries, password);
  // Another process may have started its server while the cluster was created.
  if (await runningPostmaster(home.cluster)) return null;
  await removeStalePidFile(home.cluster);
  const log = join(home.directory, 'postgres.log');
  const sizeBefore = await prepareLog(log, home);
  try {
    await runServer(binaries, home, log);
    return null;
  } catch {
    const logged = (await readFile(log)).subarray(sizeBefore).toString().trim();
    return logged.split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  }
}

/** Uses pg_ctl, which starts the server in its own process group: Ctrl-C in the terminal must not stop the server before this process has shut down. */
async function runServer(binaries: PostgresBinaries, home: EmbeddedHome, log: string): Promise<void> {
  const settings = Object.entries({ ...SETTINGS, port: await freePort() });
  const options = settings.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
  const wait = ['-w', '-t', String(START_MS / 1_000)];
  await binaries.run(
    'pg_ctl',
    ['start', '-D', home.cluster, '-l', log, '-o', options, ...wait],
    home.account,
  );
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Creates or truncates the log file. @returns its size in bytes. */
async function prepareLog(path: string, { account }: EmbeddedHome): Promise<number> {
  const file = await open(path, 'a', 0o600);
  try {
    if (account) await file.chown(account.uid, account.gid);
    if ((await file.stat()).size > MAX_LOG_BYTES) await file.truncate();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
