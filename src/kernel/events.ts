import type { EventOf } from './domain-event.js';
import type { EventName } from './event-payloads.js';

/**
 * Port: publishes events. Inside a unit of work, so that an event is dispatched exactly if its cause
 * was committed; the worker then dispatches it to its subscribers, at least once.
 */
export abstract class Events {
  abstract publish(event: EventOf<EventName>): Promise<void>;
}
