// A separate process that takes a job and never finishes it: `QueueProcess` starts and kills it.
import type { Job } from 'bullmq';
import { BackendWorker } from '../../../src/platform/queue/backend-worker.js';
import { createLog } from '../../../src/platform/telemetry/pino-log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { aBackend } from './queue-parts.js';
import type { QueueProcessOrder } from './queue-process.js';

const { url, pace } = JSON.parse(process.argv[2] ?? '{}') as QueueProcessOrder;
const hold = async ({ data }: Job) => {
  console.log(`holds ${(data as { name: string }).name}`);
  await new Promise(() => undefined);
};
const connection = await aBackend(url, createLog('silent', process.stdout), new SystemClock());
new BackendWorker('orphaned', hold, { connection, ...pace });
setInterval(() => undefined, 60_000);
