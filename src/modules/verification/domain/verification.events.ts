import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { Status } from '../../../kernel/verdict.js';
import type { Recheck } from './recheck.js';

/** A deferred check has its verdict, which names an address and is looked up by `check_id`. */
export function verificationCompleted({ id, teamId }: Recheck, status: Status): DomainEvent {
  return { type: 'verification.completed', teamId, data: { check_id: id, status } };
}
