import { parseArgs } from 'node:util';
import { withDatabase } from '../embedded-database.js';
import { ScheduleApp } from '../../test/support/schedules/schedule-app.js';

/**
 * Measures a run of a schedule over a list of which nothing has changed: how long it takes, and that it verifies and
 * costs nothing.
 *
 *     npm run ts -- bench/bulk/schedules.ts [--rows 100000]
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const ROWS = Number(options.rows);

async function main(): Promise<void> {
  const world = await ScheduleApp.start({ LOG_LEVEL: 'error' });
  try {
    const account = await world.app.anAccount();
    const rows = Array.from({ length: ROWS }, (_, n) => `reader${n}@list.invalid,Reader ${n}\n`);
    const source = await world.aSource(`email,name\n${rows.join('')}`);
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url });
    for (const what of ['first run', 'nothing changed', 'nothing changed']) {
      const start = performance.now();
      const { verified, unchanged } = await world.run(schedule, account);
      console.log({ what, verified, unchanged, seconds: Math.round(performance.now() - start) / 1000 });
    }
  } finally {
    await world.stop();
  }
}

await withDatabase(main);
