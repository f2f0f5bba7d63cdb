/*
 * `Math.max(...list)` and `list.push(...others)` pass each element as an argument, and fail with a RangeError for a
 * list of some 100,000. These take a list of any length.
 */

/** The greatest of the numbers, at least `from`. */
export function greatest(numbers: Iterable<number>, from = -Infinity): number {
  let found = from;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The least of the numbers, at most `most`. */
export function least(numbers: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Adds the items at the end of the list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
