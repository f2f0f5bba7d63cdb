import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WITH_TYPESCRIPT } from '../../test/support/processes/with-typescript.js';
import { addressesOf, type WorldOptions, type WorldPlace } from './world.js';

/**
 * Counts the round trips of a single verification of which nothing is known: no DNS record, no session, no
 * result of a random address. Each of 50 domains is asked once, one after the other; DNS and SMTP servers
 * answer after 50 ms, so that time divided by 50 ms is a number of round trips. The connection itself takes
 * none here, because a kernel accepts it at once; the table adds it. The least possible: two for DNS (the
 * addresses of a mail host are asked when its name is known), one for the connection, one each for greeting
 * and EHLO, one for MAIL and RCPT with PIPELINING and two without.
 *
 *     npm run build && npm run ts bench/engine/cold-calls.ts [--root .]
 *
 * `--root` is a checkout with its build, to compare two of them.
 */
const { values: options } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../..') } },
});
const WORLD: WorldOptions = {
  domains: 51,
  addressesPerDomain: 2,
  latencyMs: 50,
  pipelining: true,
  maxConnections: null,
};
/** The first call compiles what the others use. */
const WARM_UP = 1;
const CONNECTION = 1;

/** Addresses that the servers know get a random address in the same session. */
const CASES = [
  { case: 'unknown, PIPELINING', known: false, pipelining: true },
  { case: 'known, PIPELINING', known: true, pipelining: true },
  { case: 'unknown, without', known: false, pipelining: false },
  { case: 'known, without', known: true, pipelining: false },
];

interface Engine {
  engineAt: (
    place: WorldPlace,
  ) => Promise<(emails: readonly string[], concurrency: number) => AsyncIterable<{ status: string }>>;
}

const { engineAt } = (await import(join(options.root, 'bench/engine/ours.mjs'))) as Engine;

/** Round trips of each call, from the fastest to the slowest. */
async function roundTrips(world: WorldOptions, isKnown: boolean): Promise<number[]> {
  const emails = addressesOf(world).filter(({ exists }) => exists === isKnown);
  const child = fork(join(import.meta.dirname, 'world.ts'), [JSON.stringify(world)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  const [place] = (await once(child, 'message')) as [WorldPlace];
  const verdictsOf = await engineAt(place);
  const expected = isKnown ? 'deliverable' : 'undeliverable';
  const trips: number[] = [];
  let since = performance.now();
  const addresses = emails.map(({ email }) => email);
  for await (const { status } of verdictsOf(addresses, 1)) {
    if (status !== expected) throw new Error(`A ${expected} address is ${status}`);
    const now = performance.now();
    trips.push((now - since) / world.latencyMs);
    since = now;
  }
  child.disconnect();
  return trips.slice(WARM_UP).sort((one, other) => one - other);
}

const at = (sorted: readonly number[], share: number) =>
  ((sorted[Math.ceil(share * sorted.length) - 1] ?? NaN) + CONNECTION).toFixed(2);

const rows = [];
for (const { case: title, known, pipelining } of CASES) {
  const smtp = await roundTrips({ ...WORLD, pipelining }, known);
  const all = await roundTrips({ ...WORLD, pipelining, slowNames: true }, known);
  const least = CONNECTION + 2 + (pipelining ? 1 : 2);
  rows.push({
    case: title,
    'SMTP p50': at(smtp, 0.5),
    'SMTP p99': at(smtp, 0.99),
    'with DNS p50': at(all, 0.5),
    'with DNS p99': at(all, 0.99),
    'least without the random address': `${least} and ${least + 2}`,
  });
}
console.table(rows);
process.exit();
