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

/** The limits; empty when there is none, and then the field is omitted. */
export function policyField(policies: readonly Policy[]): string {
  return policies
    .map(
      ({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${Math.max(1, Math.ceil(windowSeconds))}`,
    )
    .join(', ');
}

/** The remaining requests, and the seconds until the reset. */
export function limitField(policies: readonly Policy[]): string {
  return policies
    .flatMap(({ name, state }) => {
      if (state === null) return [];
      const { remaining, resetAfterSeconds } = state;
      return [`"${name}";r=${Math.max(0, remaining)};t=${Math.max(0, Math.ceil(resetAfterSeconds))}`];
    })
    .join(', ');
}
