import type { EventOf } from '../../../kernel/events.js';
import type { KeyId, Mode, UserId } from '../../../kernel/principal.js';
import type { ApiKey } from './api-key.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'key.created': KeyPayload;
    'key.revoked': KeyPayload;
  }
}

/** `user_id` null: a service key. */
type KeyPayload = { key_id: KeyId; user_id: UserId | null; mode: Mode };

/** Events about keys. `user_id` null: a service key. */

export function keyCreated(key: ApiKey): EventOf<'key.created'> {
  return { type: 'key.created', ...keyEvent(key) };
}

export function keyRevoked(key: ApiKey): EventOf<'key.revoked'> {
  return { type: 'key.revoked', ...keyEvent(key) };
}

function keyEvent({ id, teamId, userId, mode }: ApiKey): Omit<EventOf<'key.created'>, 'type'> {
  return { teamId, data: { key_id: id, user_id: userId, mode } };
}
