import { InvalidArgumentError } from 'commander';

const MAX_ENTRIES = 10_000;

/** `noun.verb` */
export function auditAction(text: string): string {
  if (!/^[a-z]+\.[a-z_]+$/.test(text))
    throw new InvalidArgumentError('It must be an action, such as key.created.');
  return text;
}

/** A day, or a time of RFC 3339 in UTC. */
export function utcTime(text: string): Date {
  const value = new Date(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/.test(text) ? text : '');
  // JavaScript reads February 31 as March 3.
  if (Number.isNaN(value.getTime()) || !value.toISOString().startsWith(text.slice(0, 10)))
    throw new InvalidArgumentError('It must be a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.');
  return value;
}

export function entryCount(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MAX_ENTRIES)
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_ENTRIES}.`);
  return value;
}
