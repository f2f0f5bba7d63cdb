import { z } from 'zod';
import { STATUSES } from '../../kernel/verdict.js';
import type { Counts } from './domain/counts.js';
import type { DayCounts } from './domain/usage.repository.js';
import type { UsageToday } from './usage.service.js';

const WHOLE_DAYS = 'Send a whole number of days from 1 to 365.';

export const HistoryQuery = z.strictObject({
  days: z
    .string(WHOLE_DAYS)
    .regex(/^([1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])$/, WHOLE_DAYS)
    .default('30')
    .transform(Number)
    .meta({ description: 'Days up to today, 1–365.' }),
});

const count = (what: string) => z.int().min(0).meta({ description: what });

const COUNTS = {
  single: count('Addresses answered one by one.'),
  bulk: count('Rows of bulk jobs, duplicates too.'),
  total: count('All that were answered: `single` + `bulk`.'),
  free: count('How many of these cost nothing.'),
  by_status: z.record(z.enum(STATUSES), z.int().min(0)),
};

export const UsageTodayResponse = z
  .strictObject({
    date: z.iso.date().meta({ description: 'The day in UTC.' }),
    tier: z.string(),
    quota: z.strictObject({
      limit: z.int().nullable().meta({ description: 'null: no limit.' }),
      used: count('`total` − `free`.'),
      reserved: count('Charged for lists, and not answered yet.'),
      remaining: z.int().min(0).nullable().meta({ description: 'null: no limit.' }),
      resets_at: z.iso.datetime().meta({ description: 'The next midnight UTC.' }),
    }),
    ...COUNTS,
  })
  .meta({ id: 'UsageToday' });
export type UsageTodayResponse = z.infer<typeof UsageTodayResponse>;

export const DailyUsageResponse = z
  .strictObject({
    data: z
      .array(z.strictObject({ date: z.iso.date(), ...COUNTS }))
      .meta({ description: 'One for every day asked for, newest first.' }),
  })
  .meta({ id: 'DailyUsage' });
export type DailyUsageResponse = z.infer<typeof DailyUsageResponse>;

export function toResponse({
  date,
  tier,
  limit,
  used,
  reserved,
  remaining,
  counts,
}: UsageToday): UsageTodayResponse {
  return {
    date,
    tier,
    quota: { limit, used, reserved, remaining, resets_at: midnightAfter(date) },
    ...toCounts(counts),
  };
}

export function toDailyResponse(days: readonly DayCounts[]): DailyUsageResponse {
  return { data: days.map(({ date, ...counts }) => ({ date, ...toCounts(counts) })) };
}

function toCounts({ single, bulk, free, deliverable, undeliverable, risky, unknown }: Counts) {
  const by_status = { deliverable, undeliverable, risky, unknown };
  return { single, bulk, total: single + bulk, free, by_status };
}

function midnightAfter(date: string): string {
  const midnight = new Date(`${date}T00:00:00Z`);
  midnight.setUTCDate(midnight.getUTCDate() + 1);
  return midnight.toISOString();
}
