import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVER_ENVIRONMENT, usableBinaries } from './embedded-binaries.js';
import type { PostgresBinaries } from './embedded-binaries.js';
import { ensureCluster } from './embedded-cluster.js';
import type { EmbeddedHome } from './embedded-home.js';
import { clearStalePidFile, readPostmaster, runningPostmaster } from './embedded-postmaster.js';
import type { Postmaster } from './embedded-postmaster.js';
import { EmbeddedSession } from './embedded-session.js';

/** What it takes to reach a server, or to start one. */
export interface ServerOptions {
  readonly home: EmbeddedHome;
  /** Folder of the npm package with the binaries. */
  readonly packageDir: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

const POLL_MS = 10;
const START_MS = 30_000;
const MAX_STARTS = 5;
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const LOG_LINES_SHOWN = 10;
const NOT_READY = 'it does not become ready';

/** On the command line and not in postgresql.conf, so that they hold for clusters of every age. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failing statements and their values, which may hold addresses, stay out of the log: their callers get the error.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/**
 * A session with the server that runs on the home's cluster, started if none does.
 *
 * PostgreSQL lets one server run on a cluster. Where several processes start one at the same time, all
 * but the first see theirs exit and join the first's.
 *
 * @throws Error with the last lines of the server's log, when none comes up within 30 s
 */
export async function joinServer(
  options: ServerOptions,
): Promise<{ session: EmbeddedSession; server: Postmaster }> {
  const { home, password, log } = options;
  const bound = AbortSignal.timeout(START_MS);
  let starts = 0;
  let obstacle = NOT_READY;
  while (!bound.aborted && starts < MAX_STARTS) {
    const server = await runningPostmaster(home.cluster);
    if (!server) {
      // Its port may be taken, or what is left of a killed server may not be gone yet.
      await pause(100 * starts++);
      obstacle = await start(options, bound);
      continue;
    }
    if (server.ready) {
      const session = await EmbeddedSession.open(server.port, password, log);
      if (session instanceof EmbeddedSession) return { session, server };
      obstacle = session;
    }
    await pause(POLL_MS);
  }
  throw new Error(`The embedded PostgreSQL in ${home.directory} cannot be used: ${obstacle}`);
}

/** Returns when the server is ready or has exited, with what it logged until then. */
async function start({ home, packageDir, password }: ServerOptions, bound: AbortSignal): Promise<string> {
  const binaries = await usableBinaries(packageDir, home);
  await ensureCluster(home, binaries, password);
  // Making the cluster takes long enough for another process to have started its server.
  if (await runningPostmaster(home.cluster)) return NOT_READY;
  await clearStalePidFile(home.cluster);

  const logFile = await openLog(home);
  try {
    const { size } = await logFile.stat();
    const child = await launch(binaries, home, logFile);
    while (!bound.aborted && child.exitCode === null && child.signalCode === null) {
      const server = await readPostmaster(home.cluster);
      if (server?.pid === child.pid && server?.ready) break;
      await pause(POLL_MS);
    }
    return await lastLines(home, size);
  } finally {
    await logFile.close();
  }
}

/** Its own process group: Ctrl-C in our terminal must not stop it before we have put our things away. */
async function launch(
  binaries: PostgresBinaries,
  home: EmbeddedHome,
  logFile: FileHandle,
): Promise<ChildProcess> {
  const settings = Object.entries({ ...SETTINGS, port: await freePort() });
  const child = spawn(
    binaries.postgres,
    ['-D', home.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...home.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    },
  );
  await once(child, 'spawn');
  child.unref();
  return child;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

function logPath(home: EmbeddedHome): string {
  return join(home.directory, 'postgres.log');
}

async function openLog(home: EmbeddedHome): Promise<FileHandle> {
  const file = await open(logPath(home), 'a', 0o600);
  if (home.account) await file.chown(home.account.uid, home.account.gid);
  if ((await file.stat()).size > MAX_LOG_BYTES) await file.truncate();
  return file;
}

async function lastLines(home: EmbeddedHome, from: number): Promise<string> {
  const logged = (await readFile(logPath(home))).subarray(from).toString();
  return logged.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}
