import { withDatabase, type Creation } from '../database-context.js';
import { print, type Format } from '../terminal.js';

export async function migrateDatabase(options: Format & Creation): Promise<void> {
  const done = async () => print(options, { migrated: true }, () => 'The database is up to date.');
  await withDatabase([], done, options);
}
