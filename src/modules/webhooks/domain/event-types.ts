import type { EventName } from '../../../kernel/event-payloads.js';

/** Events that teams can subscribe to: all except those that only modules use. */
export type EventType = Exclude<EventName, 'team.deleted'>;
