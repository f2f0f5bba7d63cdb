import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULTS, runWithFault, type Fault } from '../support/processes/bulk-chaos.js';
import { BulkFleet, QUEUE_BACKENDS } from '../support/processes/bulk-fleet.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';
import { hasRedis } from '../support/queue/redis-server.js';

/** Runs per kind of fault; fewer for those of ten seconds. `CHAOS_FROM` selects other times of the fault. */
const SEEDS = Number(process.env.CHAOS_SEEDS ?? 14);
const FROM = Number(process.env.CHAOS_FROM ?? 1_000);
const LONG: readonly Fault[] = ['PostgreSQL is away for ten seconds', 'Redis is away for ten seconds'];

const RUNS = (Object.keys(FAULTS) as Fault[]).flatMap((mishap) =>
  Array.from(
    { length: LONG.includes(mishap) ? Math.ceil(SEEDS / 5) : SEEDS },
    (_, n) => [mishap, FROM + n] as const,
  ),
);

describe.each(QUEUE_BACKENDS.filter((backend) => backend !== 'Redis' || hasRedis))(
  'a bulk job queued on %s, on three workers',
  (backend) => {
    let fleet: BulkFleet;
    beforeAll(async () => {
      fleet = await BulkFleet.start(backend, 3);
    }, 60_000);
    afterEach(() => {
      expect(fleet.unexpectedExits()).toEqual([]);
    });
    afterAll(async () => {
      await fleet.stop();
      await RcptProcess.endAll();
    });

    it.each(RUNS.filter(([mishap]) => backend === 'Redis' || !mishap.startsWith('Redis')))(
      'is complete and exact when %s (seed %d)',
      async (mishap, seed) => {
        const { expected, found } = await runWithFault(fleet, mishap, seed);
        expect(found).toEqual(expected);
      },
      150_000,
    );
  },
);
