import { expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { HealthRegistry } from '../../kernel/service-state/health-registry.js';
import { Pause } from '../../kernel/service-state/pause.js';
import type { QueueCounts, QueueGauges } from './queue-gauges.js';
import { QueueWatch } from './queue-watch.js';

const COUNTS = { waiting: 3, delayed: 0, active: 1, oldestWaitingSeconds: 7 };

const gaugesWith = (shared: () => Promise<QueueCounts>) => ({ shared }) as QueueGauges;

it('the state of the queues leaves out one whose store fails, or does not answer within a second', async () => {
  const clock = new AdjustableClock();
  const watch = new QueueWatch(new HealthRegistry(), new Pause(), clock);
  watch.add(
    'answers',
    gaugesWith(() => Promise.resolve(COUNTS)),
  );
  watch.add(
    'fails',
    gaugesWith(() => Promise.reject(new Error('away'))),
  );
  watch.add(
    'hangs',
    gaugesWith(() => new Promise(() => undefined)),
  );
  const states = watch.list();
  clock.advance(1_000);
  expect(await states).toEqual([{ name: 'answers', waiting: 3, active: 1, oldestWaitingSeconds: 7 }]);
});
