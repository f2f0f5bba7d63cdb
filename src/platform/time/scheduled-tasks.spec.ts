import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Pause } from '../../kernel/service-state/pause.js';
import type { Log } from '../telemetry/log.js';
import { ScheduledTasks } from './scheduled-tasks.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('no task of a paused service runs; when the pause has ended it runs at its interval', async () => {
  const pause = new Pause();
  pause.set(new Date(0));
  const log = { debug: () => undefined } as unknown as Log;
  const tasks = new ScheduledTasks({ api: false, worker: true }, pause, log);
  let runs = 0;
  tasks.add({ name: 'count', everyMs: 1_000, run: () => Promise.resolve((runs += 1)) });
  tasks.onApplicationBootstrap();
  jest.advanceTimersByTime(60_000);
  expect(runs).toBe(0);
  pause.set(null);
  jest.advanceTimersByTime(1_000);
  expect(runs).toBe(1);
  await tasks.beforeApplicationShutdown();
});
