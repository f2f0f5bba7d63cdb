/**
 * The fields `RateLimit-Policy` and `RateLimit` in the syntax of
 * draft-ietf-httpapi-ratelimit-headers-11: structured lists (RFC 9651 §3.1) of
 * quoted names with whole numbers as parameters.
 */

/** A limit, and where the caller stands with it. */
export interface Policy {
  name: 'burst' | 'daily';
  quota: number;
  windowSeconds: number;
  /** null: not known just now; the limit itself still is. */
  standing: { remaining: number; resetAfterSeconds: number } | null;
}

/** What is allowed; empty when nothing is limited, and then there is no such field. */
export function policyField(policies: readonly Policy[]): string {
  return policies
    .map(
      ({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${Math.max(1, Math.ceil(windowSeconds))}`,
    )
    .join(', ');
}

/** What is left, and in how many seconds there is more. */
export function limitField(policies: readonly Policy[]): string {
  return policies
    .flatMap(({ name, standing }) => {
      if (standing === null) return [];
      const { remaining, resetAfterSeconds } = standing;
      return [`"${name}";r=${Math.max(0, remaining)};t=${Math.max(0, Math.ceil(resetAfterSeconds))}`];
    })
    .join(', ');
}
