import type { Status } from '../../../../kernel/verdict.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    /** The final verdict of a deferred check; it contains an address, so it is looked up by `check_id`. */
    'verification.completed': { check_id: string; status: Status };
  }
}
