/**
 * The fields `RateLimit-Policy` and `RateLimit` in the syntax of
 * draft-ietf-httpapi-ratelimit-headers-11: structured lists (RFC 9651 §3.1) of quoted names with
 * integer parameters.
 */

export interface Policy {
  name: 'burst' | 'daily';
  quota: number;
  windowSeconds: number;
  /** null: unknown at the moment; the limit itself is known. */
  state: { remaining: number; resetAfterSeconds: number } | null;
}

/**
 * The limits, and of those whose state is known the remaining requests and the seconds until the reset. A field
 * without items is omitted (RFC 9651 §3.1).
 */
export function rateFields(policies: readonly Policy[]): Record<string, string> {
  const limits: string[] = [];
  const states: string[] = [];
  for (const { name, quota, windowSeconds, state } of policies) {
    limits.push(`"${name}";q=${quota};w=${Math.max(1, Math.ceil(windowSeconds))}`);
    if (state === null) continue;
    const { remaining, resetAfterSeconds } = state;
    states.push(`"${name}";r=${Math.max(0, remaining)};t=${Math.max(0, Math.ceil(resetAfterSeconds))}`);
  }
  const fields: Record<string, string> = {};
  if (limits.length > 0) fields['RateLimit-Policy'] = limits.join(', ');
  if (states.length > 0) fields.RateLimit = states.join(', ');
  return fields;
}
