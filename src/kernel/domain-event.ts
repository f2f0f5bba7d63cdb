import type { TeamId } from './principal.js';

/** News of something that has happened; told, not ordered. A module declares its own in `domain/*.events.ts`. */
export interface DomainEvent {
  /** `noun.verb`, the verb in the past. */
  readonly type: string;
  readonly teamId: TeamId;
  /** JSON; ids and counts, never an address, a key or a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}
