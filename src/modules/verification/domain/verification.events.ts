import type { EventOf } from '../../../kernel/events.js';
import type { Status } from '../../../kernel/verdict.js';
import type { Recheck } from './recheck.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'verification.completed': { check_id: string; status: Status };
  }
}

/** The final verdict of a deferred check; it contains an address, so it is looked up by `check_id`. */
export function verificationCompleted(
  { id, teamId }: Recheck,
  status: Status,
): EventOf<'verification.completed'> {
  return { type: 'verification.completed', teamId, data: { check_id: id, status } };
}
