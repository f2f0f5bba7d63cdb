import { Socket } from 'node:net';
import { AbstractLogger, DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';
import type { ClientBase } from 'pg';
import type { ProcessRoles } from '../config/process-roles.js';
import { MIGRATIONS } from './migrations.js';

/** Of a process that serves the API. */
const CONNECTIONS = 10;
/** Of a process that only works: no client waits for it, and an installation has many. */
const WORKER_CONNECTIONS = 7;
/** Longer than any statement should take. A statement that exceeds it waits for a lock or for I/O. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than for other connections: at this point the database is already available. */
const MIGRATION_CONNECT_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
/** Detects a server that disappeared without closing the connection. */
const SOCKET_IDLE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** Connections with the database of a process, besides those of the queue. */
export function connectionsOf({ api, worker }: ProcessRoles): number {
  return worker && !api ? WORKER_CONNECTIONS : CONNECTIONS;
}

export function createDataSource(
  url: string,
  schemas: EntitySchema[],
  poolSize = CONNECTIONS,
  socketIdleTimeoutMs = SOCKET_IDLE_TIMEOUT_MS,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities: schemas,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'rcpt',
    logging: false,
    // The default handler exits the process. The pool replaces a lost idle connection itself.
    poolErrorHandler: () => undefined,
    extra: {
      onConnect: limitTimes,
      stream: () => socketWithIdleTimeout(socketIdleTimeoutMs),
    },
  });
}

/** A single connection for migrations and for what reads or writes the whole database, not yet connected. */
export function createMaintenanceDataSource({ options }: DataSource): DataSource {
  // TCP keep-alive probes detect a lost server instead of the timeouts.
  const extra = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  // What fails is thrown; TypeORM also writes it to standard output, where the log is.
  const more = {
    entities: [],
    logger: new SilentLogger(),
    poolSize: 1,
    connectTimeoutMS: MIGRATION_CONNECT_TIMEOUT_MS,
    extra,
  };
  return new DataSource({ ...options, ...more } as DataSourceOptions);
}

class SilentLogger extends AbstractLogger {
  protected writeLog(): void {}
}

/** With SET, because poolers such as PgBouncer refuse a connection with these startup parameters. */
async function limitTimes(client: ClientBase): Promise<void> {
  await client.query(
    `SET statement_timeout = ${STATEMENT_TIMEOUT_MS};
     SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
  );
}

/**
 * A socket that is destroyed when it is idle. The `query_timeout` of `pg` rejects the query but keeps
 * the connection in the pool, where the next queries would wait for the missing response.
 */
function socketWithIdleTimeout(timeoutMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(timeoutMs, () => socket.destroy());
}
