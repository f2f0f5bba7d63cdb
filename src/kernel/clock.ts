/**
 * Time, as a thing that is handed in. Services hold a Clock and pass `now` to
 * domain functions, so that a test can turn it.
 */
export abstract class Clock {
  /** Wall clock, for what is stored and shown. */
  abstract now(): Date;

  /** Milliseconds since some fixed moment, never going back: for durations and deadlines. */
  abstract monotonicMs(): number;

  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  abstract pause(ms: number, signal?: AbortSignal): Promise<void>;
}
