import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../kernel/domain-event.js';

/** An event as its subscribers get it. */
export interface PublishedEvent extends DomainEvent {
  /** The same at every attempt. */
  readonly id: string;
  readonly occurredAt: Date;
}

/** Handles an event; may be called twice for the same one. */
export type Subscriber = (event: PublishedEvent) => Promise<void>;

/** Who handles which events: worker modules subscribe before the application has started. */
@Injectable()
export class EventSubscribers {
  private readonly subscribers = new Map<string, Subscriber[]>();

  subscribe(type: string, subscriber: Subscriber): void {
    this.subscribers.set(type, [...this.of(type), subscriber]);
  }

  of(type: string): readonly Subscriber[] {
    return this.subscribers.get(type) ?? [];
  }
}
