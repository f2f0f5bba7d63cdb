import type { ScheduleRun } from './schedule-run.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'schedule.completed': RunEnded;
    'schedule.failed': RunEnded;
  }
}

type RunEnded = ReturnType<ScheduleRun['summary']>;
