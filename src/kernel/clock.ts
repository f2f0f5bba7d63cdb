/** Port: the current time. Services inject a Clock and pass `now` to domain functions, so that tests can set the time. */
export abstract class Clock {
  /** Wall-clock time, for stored and displayed timestamps. */
  abstract now(): Date;

  /** Monotonic time in milliseconds, for durations and deadlines. */
  abstract monotonicMs(): number;

  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  abstract pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The result of the work; the fallback if the work fails or takes longer. */
export async function resultInTime<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  fallback: () => T,
): Promise<T> {
  const done = new AbortController();
  const timeout = clock.pause(ms, done.signal).then(fallback);
  return Promise.race([work.catch(fallback), timeout]).finally(() => done.abort());
}
