import type { DynamicModule, Type } from '@nestjs/common';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../platform/config/config.js';
import type { MigrationPolicy } from '../platform/database/connected-data-source.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { SCHEMAS } from '../modules/schema.js';
import { withModules, type Services } from './command-context.js';

/** An option of the commands that run migrations. */
export interface Creation {
  create?: true;
}

/**
 * Runs a command on modules with a database: that of `DATABASE_URL`, or the embedded one, also while
 * the service uses it. In another folder the command would otherwise make a database that nobody serves.
 *
 * @param creation if absent, the command cannot make a database.
 * @throws ConfigError if there is none.
 */
export async function withDatabase<T>(
  modules: readonly (Type | DynamicModule)[],
  run: (services: Services) => Promise<T>,
  creation?: Creation,
): Promise<T> {
  requireDatabase(creation);
  const migrations: MigrationPolicy = creation === undefined ? 'require' : 'run';
  const database = [DatabaseModule.forRoot(SCHEMAS, migrations), MailModule, HttpModule];
  return withModules([...database, ...modules], run);
}

/** @throws ConfigError if there is no database. */
export function requireDatabase(creation?: Creation): void {
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl !== null || creation?.create === true || hasDatabase(dataDir)) return;
  const create = creation === undefined ? '' : '. For a new database there, add --create';
  throw new ConfigError(
    `there is no database in ${dataDir}, and DATABASE_URL is not set: run this in the folder of the service, or set DATA_DIR or DATABASE_URL as the service has it${create}`,
  );
}

/** A `DATA_DIR` that cannot be used has an error of its own. */
function hasDatabase(dataDir: string): boolean {
  try {
    lstatSync(join(dataDir, 'postgres'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
