import {
  isObject,
  type JsonShape,
  type Reference,
} from '../../../../platform/database/checks/data-checks.js';

export const SCHEDULE_REFERENCES: readonly Reference[] = [
  { from: 'schedule_runs.schedule_id', to: 'schedules.id' },
  { from: 'schedule_members.schedule_id', to: 'schedules.id' },
  { from: 'schedule_domains.schedule_id', to: 'schedules.id' },
  { from: 'schedule_rows.schedule_id', to: 'schedules.id' },
];

export const SCHEDULE_SHAPES: readonly JsonShape[] = [
  { column: 'schedules.source', isValid: isObject },
  { column: 'schedules.max_blocklisted', isValid: isObject },
  { column: 'schedule_runs.changed', isValid: isObject },
];
