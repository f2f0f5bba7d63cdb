import type { Verdict } from '../../../kernel/verdict.js';

/** What could not be told, and what the team itself had settled, costs nothing. */
export function isFree({ status, reason }: Pick<Verdict, 'status' | 'reason'>): boolean {
  return status === 'unknown' || reason === 'blocked_domain';
}
