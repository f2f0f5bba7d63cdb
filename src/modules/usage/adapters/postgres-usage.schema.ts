import { EntitySchema } from 'typeorm';

export const QuotaDayRowSchema = new EntitySchema({
  name: 'QuotaDayRow',
  tableName: 'quota_days',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    day: { type: 'date', primary: true },
    used: { type: 'integer', default: 0 },
    reserved: { type: 'integer', default: 0 },
    // Of `used` and `reserved`, those of publishable keys.
    publishable: { type: 'integer', default: 0 },
    warned: { type: 'boolean', default: false },
    exceeded: { type: 'boolean', default: false },
  },
  checks: [
    { name: 'quota_days_publishable_check', expression: 'publishable >= 0' },
    { name: 'quota_days_reserved_check', expression: 'reserved >= 0' },
    { name: 'quota_days_used_check', expression: 'used >= 0' },
  ],
  indices: [{ name: 'quota_days_day', columns: ['day'] }],
});

/** What an account used on a day; `account` is the id of a user or of a service key. */
export const UsageDayRowSchema = new EntitySchema({
  name: 'UsageDayRow',
  tableName: 'usage_days',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    day: { type: 'date', primary: true },
    account: { type: 'text', primary: true },
    single: { type: 'integer' },
    bulk: { type: 'integer' },
    free: { type: 'integer' },
    deliverable: { type: 'integer' },
    undeliverable: { type: 'integer' },
    risky: { type: 'integer' },
    unknown: { type: 'integer' },
    rateLimited: { name: 'rate_limited', type: 'integer', default: 0 },
  },
  indices: [{ name: 'usage_days_day', columns: ['day'] }],
});
