import type { DataSource, EntitySchema } from 'typeorm';
import type { Clock } from '../../kernel/clock.js';
import { INSTALLATION } from '../installation/installation.js';
import type { SecretKeys } from '../secrets/secret-keys.js';
import type { Log } from '../telemetry/log.js';
import { connectionError, connectionFailure } from './connection-failure.js';
import { createDataSource } from './data-source.js';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { isMigrated, migrate } from './migrate.js';
import { refuseTransactionPooling } from './pooler-check.js';
import { checkSecretKeys } from './secret-key-check.js';

/** What to do when migrations are missing: run them, wait until another process has run them, or fail. */
export type MigrationPolicy = 'run' | 'wait' | 'require';

interface DatabaseParts {
  embedded: EmbeddedDatabase;
  clock: Clock;
  log: Log;
  entities: EntitySchema[];
  /** At most so many; a default for commands. */
  connections?: number;
}

interface PreparedParts {
  migrations: MigrationPolicy;
  secrets: SecretKeys;
}

/** How long to wait for a database that is starting. */
const START_TIMEOUT_MS = 30_000;

/**
 * Connects to the database and prepares it. On failure it closes what it opened: Nest runs no
 * shutdown hooks for an application that failed to start.
 *
 * @throws ConfigError when `DATABASE_URL` or `SECRET_KEY` must be changed; Error when the database does not become available, or migrations are required and missing.
 */
export function connectedDataSource(parts: DatabaseParts & PreparedParts): Promise<DataSource> {
  return openDataSource(parts, async (dataSource) => {
    await prepare(dataSource, parts);
    await checkSecretKeys(dataSource, parts.secrets);
  });
}

/** Connects to the database as it is, and closes what it opened when that or `prepare` fails. */
export async function openDataSource(
  parts: DatabaseParts,
  prepare: (dataSource: DataSource) => Promise<void> = async () => undefined,
): Promise<DataSource> {
  const { embedded, entities, connections } = parts;
  let dataSource: DataSource | null = null;
  try {
    const url = await embedded.url();
    dataSource = createDataSource(url, entities, connections);
    await connect(dataSource, url, parts);
    await refuseTransactionPooling(dataSource);
    await prepare(dataSource);
    return dataSource;
  } catch (error) {
    if (dataSource?.isInitialized) await dataSource.destroy();
    await embedded.close();
    throw error;
  }
}

async function connect(dataSource: DataSource, url: string, parts: DatabaseParts): Promise<void> {
  const { embedded, clock, log } = parts;
  const deadlineMs = clock.monotonicMs() + START_TIMEOUT_MS;
  for (let logged = ''; ;) {
    try {
      await dataSource.initialize();
      return;
    } catch (error) {
      const failure = connectionFailure(error, url);
      if (failure === null) throw error;
      const { target, cause, passes } = failure;
      // The operator has not set the URL of the embedded database.
      if (!passes || clock.monotonicMs() > deadlineMs)
        throw embedded.isOpen ? error : connectionError(failure);
      if (cause !== logged)
        log.warn(
          { host: target },
          `database not available: ${cause}; retrying for ${START_TIMEOUT_MS / 1_000} s`,
        );
      logged = cause;
      await clock.pause(500);
    }
  }
}

async function prepare(
  dataSource: DataSource,
  { migrations, clock, log }: DatabaseParts & PreparedParts,
): Promise<void> {
  if (migrations === 'run')
    return migrate(dataSource, (blockers) => {
      log.warn({ blockers }, 'a migration waits for a lock that other sessions hold; it is tried again');
    });
  for (let isLogged = false; !(await isMigrated(dataSource)); isLogged = true) {
    if (migrations === 'require')
      throw new Error(
        `the database lacks migrations; run \`${INSTALLATION.command} migrate\` or start an API process, which runs them`,
      );
    if (!isLogged)
      log.warn(
        {},
        'the database lacks migrations; waiting until an API process or `rcpt migrate` has run them',
      );
    await clock.pause(1_000);
  }
}
