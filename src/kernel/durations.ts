/** Units of time. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/**
 * Seconds for a client that waits, from 1 on, so that none comes too early. A difference of two readings of a clock
 * may be 10.000000000000002 seconds, which are ten.
 */
export const wholeSeconds = (seconds: number): number => Math.max(1, Math.ceil(Number(seconds.toFixed(6))));
