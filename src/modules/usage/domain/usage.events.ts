import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Mark, QuotaStatus } from './quota.js';

const TYPES: Readonly<Record<Mark, string>> = { warned: 'quota.warning', exceeded: 'quota.exceeded' };

/** Four fifths of the day's quota are used, or all of it: once per team and day. */
export function quotaMarkPassed(
  mark: Mark,
  teamId: TeamId,
  limit: number,
  standing: QuotaStatus,
): DomainEvent {
  return { type: TYPES[mark], teamId, data: { date: standing.day, limit, used: standing.used } };
}
