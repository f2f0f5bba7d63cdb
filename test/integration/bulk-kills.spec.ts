import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { throughMishap, type Mishap } from '../support/bulk-chaos.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../support/bulk-fleet.js';
import { RcptProcess } from '../support/rcpt-process.js';
import { hasRedis } from '../support/redis-server.js';

/** A few of what `npm run test:chaos` does many times; with Redis, those that its part is played in. */
const MISHAPS: Readonly<Record<QueueBackendName, readonly Mishap[]>> = {
  PostgreSQL: ['workers are killed', 'the API is killed between its commit and its ring'],
  Redis: ['the queue forgets everything'],
};

describe.each(QUEUE_BACKENDS.filter((backend) => backend !== 'Redis' || hasRedis))(
  'a bulk job rung for through %s, on two workers',
  (backend) => {
    let fleet: BulkFleet;
    beforeAll(async () => {
      fleet = await BulkFleet.start(backend, 2);
    }, 60_000);
    afterAll(async () => {
      await fleet.stop();
      await RcptProcess.endAll();
    });

    it.each(MISHAPS[backend])(
      'has one result for every row, exact usage and one event when %s',
      async (mishap) => {
        const { expected, found } = await throughMishap(fleet, mishap, 1);
        expect(found).toEqual(expected);
      },
      120_000,
    );
  },
);
