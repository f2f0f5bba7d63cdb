import type { TeamId } from './principal.js';

/**
 * Every event of the service, `noun.verb` with the verb in the past, and its payload. JSON: ids and
 * counts, never an address, a key or a secret. Each module declares its own events here from
 * `domain/*.events.ts`, by declaration merging. Payloads are type literals: those are assignable to
 * `DomainEvent`, which an interface would not be.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the modules add the members
export interface EventPayloads {}

export type EventName = keyof EventPayloads;

export interface DomainEvent {
  /** `noun.verb`, the verb in the past. */
  readonly type: string;
  readonly teamId: TeamId;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of this type, with its payload. Modules create their events in `domain/*.events.ts`. */
export type EventOf<Name extends EventName> = {
  [Type in Name]: {
    readonly type: Type;
    readonly teamId: TeamId;
    readonly data: Readonly<EventPayloads[Type]>;
  };
}[Name];

/**
 * Port: publishes events. Inside a unit of work, so that an event is dispatched exactly if its cause
 * was committed; the worker then dispatches it to its subscribers, at least once.
 */
export abstract class Events {
  abstract publish(event: EventOf<EventName>): Promise<void>;
}
