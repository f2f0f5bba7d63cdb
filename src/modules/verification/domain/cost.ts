import type { Verdict } from '../../../kernel/verdict.js';

/** Unknown verdicts, and verdicts from the team's own blocklist, cost nothing. */
export function isFree({ status, reason }: Pick<Verdict, 'status' | 'reason'>): boolean {
  return status === 'unknown' || reason === 'blocked_domain';
}
