// A process of its own that works on a queue and finishes nothing: `QueueProcess` starts and kills it.
import { createLog } from '../../src/platform/telemetry/log.js';
import { SystemClock } from '../../src/platform/time/system-clock.js';
import { aQueue, type QueueOrder } from './queue-parts.js';

const order = JSON.parse(process.argv[2] ?? '{}') as QueueOrder;
aQueue(order, createLog('silent'), new SystemClock()).work('orphaned', 1, async ({ name }) => {
  console.log(`holds ${name}`);
  await new Promise(() => undefined);
});
setInterval(() => undefined, 60_000);
