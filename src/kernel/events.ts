import type { DomainEvent } from './domain-event.js';

/**
 * Port: publishes news. Inside a unit of work, so that it is told exactly if what
 * it tells of was committed; the worker then hands it to whoever listens, at least once.
 */
export abstract class Events {
  abstract publish(event: DomainEvent): Promise<void>;
}
