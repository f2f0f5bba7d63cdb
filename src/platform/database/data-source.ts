import { Socket } from 'node:net';
import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';
import { MIGRATIONS } from './migrations.js';

/** No statement of ours takes this long; one that does waits for a lock or a dead disk. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** A start has waited for the database already. */
const MIGRATION_CONNECT_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;
/** A server that is gone without a word ends no statement. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** The pool to PostgreSQL; not yet connected. */
export function createDataSource(
  url: string,
  schemas: EntitySchema[],
  poolSize = 10,
  silenceMs = SILENCE_MS,
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
    // The default handler ends the process; a lost idle connection is the pool's to replace.
    poolErrorHandler: () => undefined,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 30_000,
      stream: () => anAttentiveSocket(silenceMs),
    },
  });
}

/** One connection to the same database, with no limit on how long it is silent: for migrations. Not yet connected. */
export function createMigrationDataSource({ options }: DataSource): DataSource {
  // Instead of the limits, probes of TCP find out that the server is gone.
  const extra = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  const more = { entities: [], poolSize: 1, connectTimeoutMS: MIGRATION_CONNECT_TIMEOUT_MS, extra };
  return new DataSource({ ...options, ...more } as DataSourceOptions);
}

/**
 * Breaks off what has fallen silent. The client's own `query_timeout` gives up the statement and keeps
 * the connection: everybody whom the pool gave it to would wait behind an answer that never comes.
 */
function anAttentiveSocket(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => socket.destroy());
}
