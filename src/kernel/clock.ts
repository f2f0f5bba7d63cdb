/** Port: the current time. Services inject a Clock and pass `now` to domain functions, so that tests can set the time. */
export abstract class Clock {
  /** Wall-clock time, for stored and displayed timestamps. */
  abstract now(): Date;

  /** Monotonic time in milliseconds, for durations and deadlines. */
  abstract monotonicMs(): number;

  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  abstract pause(ms: number, signal?: AbortSignal): Promise<void>;
}
