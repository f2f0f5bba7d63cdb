import { DataSource, type EntitySchema } from 'typeorm';
import { MIGRATIONS } from './migrations.js';

/** No statement of ours takes this long; one that does waits for a lock or a dead disk. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** The pool to PostgreSQL; not yet connected. */
export function createDataSource(url: string, schemas: EntitySchema[], poolSize = 10): DataSource {
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
    // The second one is the client's own: a server that is gone ends no statement.
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 2_000,
      idle_in_transaction_session_timeout: 30_000,
    },
  });
}
