import type { EventOf } from '../../../kernel/domain-event.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Mark, QuotaStatus } from './quota.js';

declare module '../../../kernel/event-payloads.js' {
  interface EventPayloads {
    'quota.warning': QuotaMark;
    'quota.exceeded': QuotaMark;
  }
}

/** `date`: the UTC day. */
type QuotaMark = { mode: 'live'; date: string; limit: number; used: number };

const TYPES = { warned: 'quota.warning', exceeded: 'quota.exceeded' } as const satisfies Record<Mark, string>;

/** 80 % or 100 % of the day's quota is used: once per team and day. */
export function quotaMarkPassed(
  mark: Mark,
  teamId: TeamId,
  limit: number,
  status: QuotaStatus,
): EventOf<'quota.warning' | 'quota.exceeded'> {
  const data = { mode: 'live', date: status.day, limit, used: status.used } as const;
  return { type: TYPES[mark], teamId, data };
}
