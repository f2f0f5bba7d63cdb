import { migrate } from '../platform/database/migrate.js';
import { withDatabase } from './database.js';
import { print, type Format } from './terminal.js';

export async function migrateDatabase(options: Format): Promise<void> {
  await withDatabase(async ({ dataSource }) => {
    await migrate(dataSource);
    print(options, { migrated: true }, () => 'The database is up to date.');
  });
}
