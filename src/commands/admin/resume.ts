import { StoredPause } from '../../platform/database/pause/stored-pause.js';
import { withDatabase } from '../database-context.js';
import { print, type Format } from '../terminal.js';

/** Ends the pause of all processes of the database. */
export async function resumeService(options: Format): Promise<void> {
  await withDatabase([], async (services) => {
    const resumed = await services(StoredPause).end();
    print(options, { resumed }, () =>
      resumed
        ? 'The service acts again, within seconds.'
        : 'The service was not paused. Nothing was changed.',
    );
  });
}
