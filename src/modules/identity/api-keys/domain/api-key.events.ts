import type { KeyId, Mode, UserId } from '../../../../kernel/principal.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    'key.created': KeyPayload;
    'key.revoked': KeyPayload;
  }
}

/** `user_id` null: a service key. */
type KeyPayload = { key_id: KeyId; user_id: UserId | null; mode: Mode };
