import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Retention } from '../../../platform/database/erasure/retention.js';
import type { Log } from '../../../platform/telemetry/log.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { Pause } from '../../../kernel/service-state/pause.js';
import type { SelfCheckRunService } from './self-check-run.service.js';
import { SelfChecksWorkerModule } from './self-checks-worker.module.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('a worker asks within a minute of its start whether the checks are due, and again every minute', async () => {
  const tasks = new ScheduledTasks({ api: false, worker: true }, new Pause(), {
    debug: () => undefined,
  } as unknown as Log);
  let runs = 0;
  const run = { runDue: () => Promise.resolve((runs += 1)) };
  const retention = { deleteExpired: () => Promise.resolve(0) };
  new SelfChecksWorkerModule(tasks, retention as unknown as Retention, run as unknown as SelfCheckRunService);
  tasks.onApplicationBootstrap();
  expect(runs).toBe(1);
  // The end of a run takes a few turns.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  jest.advanceTimersByTime(60_000);
  expect(runs).toBeGreaterThan(1);
  await tasks.beforeApplicationShutdown();
});
