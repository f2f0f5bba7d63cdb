import { Injectable } from '@nestjs/common';
import type { EventName, EventOf } from '../../../kernel/events.js';

export type PublishedEvent<Name extends EventName = EventName> = EventOf<Name> & {
  /** The same for every attempt. */
  readonly id: string;
  readonly occurredAt: Date;
};

/** Handles an event; may be called twice for the same one. */
export type Subscriber<Name extends EventName = EventName> = (event: PublishedEvent<Name>) => Promise<void>;

/** The subscribers by event type. Worker modules subscribe before the application has started. */
@Injectable()
export class EventSubscribers {
  private readonly subscribers = new Map<EventName, Subscriber[]>();

  subscribe<Name extends EventName>(type: Name, subscriber: Subscriber<Name>): void {
    // It is called with events of its type only.
    this.subscribers.set(type, [...this.of(type), subscriber as Subscriber]);
  }

  of(type: EventName): readonly Subscriber[] {
    return this.subscribers.get(type) ?? [];
  }
}
