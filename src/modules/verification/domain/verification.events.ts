import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { Status } from '../../../kernel/verdict.js';
import type { PutOffCheck } from './put-off-check.js';

/** A check that was put off has its verdict, which names an address and is looked up by `check_id`. */
export function verificationCompleted({ id, teamId }: PutOffCheck, status: Status): DomainEvent {
  return { type: 'verification.completed', teamId, data: { check_id: id, status } };
}
