import type { Confirmation, ScheduleRun } from './schedule-run.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    'schedule.completed': RunSummary & { status: 'completed' | 'discarded' };
    'schedule.failed': RunSummary & { status: 'failed' };
    'schedule.needs_confirmation': RunSummary & {
      status: 'needs_confirmation';
      confirmation: Confirmation & { confirm_by: string };
    };
  }
}

type RunSummary = ReturnType<ScheduleRun['summary']>;
