import { parseArgs } from 'node:util';
import { QUEUE_BACKENDS } from '../test/support/processes/bulk-fleet.js';
import { hasRedis } from '../test/support/queue/redis-server.js';
import { withDatabase } from './embedded-database.js';
import { boundOf } from './lists/bound.js';
import { deviationsOf, figuresOf } from './lists/figures.js';
import { planOf } from './lists/plan.js';
import { ListRuns } from './lists/runs.js';

/**
 * Measures a list as customers have them, against what its mail servers allow. API, workers, the engine
 * alone and the servers are processes of their own.
 *
 *     npm run build && npm run ts -- bench/lists.ts [--rows 20000] [--workers 1,2,4] [--store PostgreSQL] [--seed 1] [--no-pipelining]
 *
 * The world (`lists/plan.ts`): five providers hold 45 % of the rows, two of them for many customers, and
 * allow five or two sessions at all of their addresses together; 2,500 further domains have the others by
 * Zipf, with log-normal latencies around 60 ms. Of these 30 % have no PIPELINING, 1 % say nothing, 1 %
 * refuse connections, 0.5 % are tarpits (an octet a second). The order of the list is random. Servers
 * reject sessions above their limit with 421, and each row has a right verdict. `--latency-scale 0.1`
 * shrinks latencies and timeouts for a quick run, in which the processor may be the limit.
 * With `--no-pipelining` no server has it.
 *
 * The bounds are computed from the world (`lists/bound.ts`). Goals:
 * - the whole list takes at most 1.3 times the critical path, 90 % of the rows at most 1.5 times theirs
 * - the first row is recorded within two seconds, and others steadily: the longest gap is the longest
 *   time without a new row in the first half, polled every 100 ms
 * - no session above the total of a known provider, at most two above that of an unknown one
 * - no wrong verdict. `unknown` and `catch_all_unknown` are not wrong: the second table has all rows without
 *   the right verdict
 * - four workers on two processors never have less than 0.9 of the rate of one. `bench/scale.ts` measures
 *   what a second worker adds: here the providers are the limit of any number of workers
 *
 * The sessions of a provider are the most at once, in parentheses the most at one address, and the number
 * that were above the total and rejected, and when its last recipient was named. `others` are the servers of small domains, each with its own
 * limit. The processor bound is the processor time of the engine or the workers, divided by the processors
 * they can use; it is no part of the critical path. Where the processor share of the servers is near 1,
 * they are the limit.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    workers: { type: 'string', default: '1,2,4' },
    store: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'latency-scale': { type: 'string', default: '1' },
    pipelining: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const OPTIONS = {
  rows: Number(flags.rows),
  seed: Number(flags.seed),
  latencyScale: Number(flags['latency-scale']),
  pipelining: flags.pipelining,
};
const WORKERS = flags.workers.split(',').map(Number);
const STORES = QUEUE_BACKENDS.filter((backend) => backend === (flags.store ?? backend));
/** A list is followed for so many times its critical path, and at least for five minutes. */
const PATIENCE = 6;
const MIN_PATIENCE_MS = 300_000;

async function main(): Promise<void> {
  const plan = planOf(OPTIONS);
  const bound = boundOf(plan, OPTIONS.latencyScale);
  const emails = plan.rows.map(({ email }) => email);
  console.log(`${emails.length} rows at ${plan.servers.length} servers, seed ${OPTIONS.seed}`);
  console.log(`critical path ${bound.wholeMs / 1000} s (${bound.slowest})`);
  console.log(`90 % of the rows ${bound.mostMs / 1000} s`);
  const runs = new ListRuns(OPTIONS, emails, Math.max(MIN_PATIENCE_MS, PATIENCE * bound.wholeMs));
  for (const store of STORES.filter((store) => store !== 'Redis' || hasRedis)) {
    const measured = [await runs.engine()];
    for (const workers of WORKERS) measured.push(await runs.list(store, workers));
    console.log(`\n${store}`);
    console.table(byFigure(measured.map((run) => [run.name, figuresOf(run, plan, bound)])));
    const deviations = measured.flatMap((run) => deviationsOf(run, plan));
    if (deviations.length > 0) console.table(deviations);
  }
}

type Figures = Record<string, string | number>;

/** One line for each figure, one column for each run. */
function byFigure(runs: readonly (readonly [name: string, figures: Figures])[]): Record<string, Figures> {
  const lines: Record<string, Figures> = {};
  for (const [name, figures] of runs)
    for (const [figure, value] of Object.entries(figures)) (lines[figure] ??= {})[name] = value;
  return lines;
}

await withDatabase(main);
