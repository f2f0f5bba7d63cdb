/** Changed by the requests that read them, or of the request. */
const OF_THE_READING = new Set(['last_used_at', 'last_active_at', 'request_id', 'detail']);
/** Its text is not documented; whether there is one is. */
const CURSOR = 'next_cursor';

/**
 * Where a response lacks what a release answered. A later version may add members, and values to a list of names; it
 * may not remove or change any.
 */
export function lostMembers(released: unknown, present: unknown, at = ''): string[] {
  if (Array.isArray(released)) {
    if (!Array.isArray(present)) return [at];
    if (released.some((item) => typeof item !== 'object'))
      return released.filter((item) => !present.includes(item)).map((item) => `${at}[${String(item)}]`);
    if (released.length !== present.length) return [`${at}.length`];
    return released.flatMap((item, n) => lostMembers(item, present[n], `${at}[${n}]`));
  }
  if (typeof released === 'object' && released !== null) {
    if (typeof present !== 'object' || present === null) return [at];
    const members = present as Record<string, unknown>;
    return Object.entries(released)
      .filter(([name]) => !OF_THE_READING.has(name))
      .flatMap(([name, value]) => {
        if (name === CURSOR && typeof value === typeof members[name]) return [];
        return lostMembers(value, members[name], `${at}.${name}`);
      });
  }
  return released === present ? [] : [`${at}: ${JSON.stringify(released)} → ${JSON.stringify(present)}`];
}
