import type { DynamicModule, Type } from '@nestjs/common';
import type { MigrationPolicy } from '../platform/database/connected-data-source.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { SCHEMAS } from '../modules/schema.js';
import { withModules, type Services } from './command-context.js';

/**
 * Runs a command on modules with a database: that of `DATABASE_URL`, or the embedded one, also while
 * the service uses it.
 */
export function withDatabase<T>(
  modules: readonly (Type | DynamicModule)[],
  run: (services: Services) => Promise<T>,
  migrations: MigrationPolicy = 'require',
): Promise<T> {
  const database = [DatabaseModule.forRoot(SCHEMAS, migrations), MailModule, HttpModule];
  return withModules([...database, ...modules], run);
}
