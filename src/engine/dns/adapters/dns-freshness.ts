/** The age of an answer. */
export interface Freshness {
  /** Whole seconds since the DNS query; 0 when this call sent it. */
  ageSeconds: number;
  /** True when the answer came from the cache and no query was sent. */
  cached: boolean;
}

/** The freshness of an answer made of several: the age of the oldest; cached only when all were cached. */
export function freshnessOf(parts: readonly Freshness[]): Freshness {
  return {
    ageSeconds: Math.max(...parts.map((part) => part.ageSeconds)),
    cached: parts.every((part) => part.cached),
  };
}
