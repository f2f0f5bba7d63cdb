import { STATUSES, type Status } from '../../../kernel/verdict.js';
import {
  Count,
  CountsBy,
  Day,
  Id,
  ListOf,
  NumberParameter,
  ObjectOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../platform/http/validation/fields.js';
import type { Counts } from './domain/charge.js';
import type { DayCounts } from './domain/usage.repository.js';
import type { UsageToday } from './usage.service.js';
import { DAY_MS } from '../../../kernel/durations.js';

export class HistoryQuery {
  @NumberParameter({ min: 1, max: 365, of: 'of days', default: 30, description: 'Days up to today, 1–365.' })
  days = 30;
}

abstract class CountsResponse {
  @Count('Single verifications.')
  single: number;

  @Count('Rows of bulk jobs, including duplicates.')
  bulk: number;

  @Count('`single` + `bulk`.')
  total: number;

  @Count('Of these, not charged.')
  free: number;

  @CountsBy(STATUSES, { complete: true })
  by_status: Record<Status, number>;
}

@Schema('Quota')
class QuotaResponse {
  @WholeNumber({ nullable: true, min: 0, description: 'null: no limit.', example: 1000 })
  limit: number | null;

  @Count('`total` − `free`.')
  used: number;

  @Count('Reserved for bulk jobs, not verified yet.')
  reserved: number;

  @Count('null: no limit.', { nullable: true })
  remaining: number | null;

  @Time({ description: 'The next midnight UTC.', example: '2026-11-22T00:00:00.000Z' })
  resets_at: string;
}

@Schema('UsageOfKey')
class UsageOfKey extends CountsResponse {
  @Id('key')
  key_id: string;

  @Count(
    'Of `unknown`: not verified, because too many addresses of one domain were verified with a publishable key.',
  )
  rate_limited: number;
}

@Schema('UsageToday')
export class UsageTodayResponse extends CountsResponse {
  @Day({ description: 'The day in UTC.' })
  date: string;

  @Text({ example: 'starter' })
  tier: string;

  @ObjectOf(() => QuotaResponse)
  quota: QuotaResponse;

  @ListOf(() => UsageOfKey, {
    description:
      'The usage of each publishable key and service key, the most used first, at most 100. Other keys count for their user.',
  })
  keys: UsageOfKey[];
}

@Schema('UsageOfDay')
class UsageOfDay extends CountsResponse {
  @Day()
  date: string;
}

@Schema('DailyUsage')
export class DailyUsageResponse {
  @ListOf(() => UsageOfDay, { description: 'One for each requested day, newest first.' })
  data: UsageOfDay[];
}

export function toResponse({ date, tier, counts, keys, ...quota }: UsageToday): UsageTodayResponse {
  return {
    date,
    tier,
    quota: { ...quota, resets_at: midnightAfter(date) },
    ...toCounts(counts),
    keys: keys.map(({ account, rate_limited, ...of }) => ({
      key_id: account,
      rate_limited,
      ...toCounts(of),
    })),
  };
}

export function toDailyResponse(days: readonly DayCounts[]): DailyUsageResponse {
  return { data: days.map(({ date, ...counts }) => ({ date, ...toCounts(counts) })) };
}

function toCounts({
  single,
  bulk,
  free,
  deliverable,
  undeliverable,
  risky,
  unknown,
}: Omit<Counts, 'rate_limited'>) {
  const by_status = { deliverable, undeliverable, risky, unknown };
  return { single, bulk, total: single + bulk, free, by_status };
}

function midnightAfter(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString();
}
