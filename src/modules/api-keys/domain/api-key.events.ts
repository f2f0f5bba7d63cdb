import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { ApiKey } from './api-key.js';

/** News about keys. Data: `key_id`, `user_id` (null: a service key), `mode`. */

export function keyCreated(key: ApiKey): DomainEvent {
  return keyEvent('key.created', key);
}

export function keyRevoked(key: ApiKey): DomainEvent {
  return keyEvent('key.revoked', key);
}

function keyEvent(type: string, { id, teamId, userId, mode }: ApiKey): DomainEvent {
  return { type, teamId, data: { key_id: id, user_id: userId, mode } };
}
