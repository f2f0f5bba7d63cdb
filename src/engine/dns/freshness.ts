/** The age of a response, or of the cached part of a result. */
export interface Freshness {
  /** Whole seconds since the DNS query; 0 when this call sent it. */
  ageSeconds: number;
  /** True when it depends on the network and no query was sent. */
  cached: boolean;
}

/** The freshness of a response made of several: the age of the oldest; cached only when all were cached. */
export function freshnessOf(parts: readonly Freshness[]): Freshness {
  return {
    ageSeconds: Math.max(...parts.map((part) => part.ageSeconds)),
    cached: parts.every((part) => part.cached),
  };
}
