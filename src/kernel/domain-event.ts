import type { EventName, EventPayloads } from './event-payloads.js';
import type { TeamId } from './principal.js';

/** An event of any type. */
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
