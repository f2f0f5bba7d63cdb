import type { EventName, EventPayloads } from './event-payloads.js';
import type { TeamId } from './principal.js';

/** Any event, for code that passes on events of all types. */
export interface DomainEvent {
  /** `noun.verb`, the verb in the past. */
  readonly type: string;
  readonly teamId: TeamId;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of this type, with its payload. A module makes its own in `domain/*.events.ts`. */
export type EventOf<Name extends EventName> = {
  [Each in Name]: {
    readonly type: Each;
    readonly teamId: TeamId;
    readonly data: Readonly<EventPayloads[Each]>;
  };
}[Name];
