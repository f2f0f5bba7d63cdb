import type { EventOf } from '../../../kernel/events.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Threshold, QuotaStatus } from './quota.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'quota.warning': QuotaThreshold;
    'quota.exceeded': QuotaThreshold;
  }
}

/** `date`: the UTC day. */
type QuotaThreshold = { mode: 'live'; date: string; limit: number; used: number };

const TYPES = { warned: 'quota.warning', exceeded: 'quota.exceeded' } as const satisfies Record<
  Threshold,
  string
>;

/** 80 % or 100 % of the day's quota is used: once per team and day. */
export function quotaThresholdPassed(
  threshold: Threshold,
  teamId: TeamId,
  limit: number,
  status: QuotaStatus,
): EventOf<'quota.warning' | 'quota.exceeded'> {
  const data = { mode: 'live', date: status.day, limit, used: status.used } as const;
  return { type: TYPES[threshold], teamId, data };
}
