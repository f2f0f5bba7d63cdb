/**
 * Every event of the service, `noun.verb` with the verb in the past, and its payload. JSON: ids and
 * counts, never an address, a key or a secret. Each module declares its own events here from
 * `domain/*.events.ts`, by declaration merging. Payloads are type literals: those are assignable to
 * `DomainEvent`, which an interface would not be.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the modules add the members
export interface EventPayloads {}

export type EventName = keyof EventPayloads;
