import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWithFault, type Fault } from '../support/processes/bulk-chaos.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../support/processes/bulk-fleet.js';
import { RcptProcess } from '../support/processes/rcpt-process.js';
import { hasRedis } from '../support/queue/redis-server.js';

/** A few of the cases that `npm run test:chaos` repeats many times; with Redis, those that involve it. */
const MISHAPS: Readonly<Record<QueueBackendName, readonly Fault[]>> = {
  PostgreSQL: ['workers are killed', 'the API is killed between its commit and its enqueue'],
  Redis: ['the queue loses all jobs'],
};

describe.each(QUEUE_BACKENDS.filter((backend) => backend !== 'Redis' || hasRedis))(
  'a bulk job enqueued through %s, on two workers',
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
      'has one result per row, exact usage and one event when %s',
      async (mishap) => {
        const { expected, found } = await runWithFault(fleet, mishap, 1);
        expect(found).toEqual(expected);
      },
      120_000,
    );
  },
);
