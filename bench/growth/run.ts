import { parseArgs } from 'node:util';
import { anEmptyDatabase } from '../../test/support/database/fresh-database.js';
import { DnsWorld } from '../../test/support/dns/dns-world.js';
import { BulkFleet } from '../../test/support/processes/bulk-fleet.js';
import { withDatabase } from '../embedded-database.js';
import { GrowthFigures } from './figures.js';
import { StoredLists } from './stored-lists.js';

/**
 * What stored rows change: a new list, a stored single call, the first and a deep page of results, a download and the
 * deletion of a list, in an installation that stores more and more rows of other teams.
 *
 *     npm run build && npm run ts -- bench/growth/run.ts [--sizes 0,1000000,5000000,20000000] [--rows 100000]
 *
 * A row takes up to 2 kB on the disk, with its verdict, its index entries and its facts. The older lists are copies of
 * one that the service has verified, made by PostgreSQL. The table has durations, and the processor time of API, worker
 * and PostgreSQL, which other programs change less. Goal: no figure grows by more than a quarter from the first size
 * to the last one.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '0,1000000,5000000,20000000' },
    rows: { type: 'string', default: '100000' },
  },
});
const SIZES = options.sizes.split(',').map(Number);
const ROWS = Number(options.rows);

async function main(): Promise<void> {
  const dns = await DnsWorld.start({ zones: {} });
  const env = { DNS_SERVERS: dns.server, LOG_LEVEL: 'error' };
  const fleet = await BulkFleet.start('PostgreSQL', 1, env, true, anEmptyDatabase);
  try {
    const figures = await GrowthFigures.of(fleet, ROWS);
    const stored = await StoredLists.like(fleet, await figures.aList());
    // Not measured: code is compiled, and the caches of the database are filled.
    await figures.measure();
    const columns: Record<string, Record<string, number>> = {};
    for (const size of SIZES) {
      await stored.growTo(size);
      columns[`${size} rows`] = { ...(await figures.measure()), 'bytes a row': stored.bytesOfRow() };
      console.table(byFigure(columns));
    }
    if (fleet.unexpectedExits().length > 0) throw new Error(fleet.unexpectedExits().join('\n'));
  } finally {
    await fleet.stop();
    await dns.stop();
  }
}

/** One line for each figure, one column for each size, and the quotient of the last and the first one. */
function byFigure(columns: Record<string, Record<string, number>>) {
  const all = Object.entries(columns);
  const names = Object.keys(all[0]?.[1] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map(([size, figures]) => [size, figures[name] ?? NaN] as const);
      const ratio = values.at(-1)![1] / values[0]![1];
      return [name, { ...Object.fromEntries(values), 'last / first': Number(ratio.toFixed(2)) }];
    }),
  );
}

await withDatabase(main);
