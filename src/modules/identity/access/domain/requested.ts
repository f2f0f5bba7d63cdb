type Query = Readonly<Record<string, unknown>>;

/** Whether a query parameter is true. */
export function isRequested(parameter: string, query: Query): boolean {
  return query[parameter] === 'true' || query[parameter] === '1';
}

/** Whether the call needs neither the feature of its route nor quota. */
export function isFree(policy: { freeWhenRequested: string | null }, query: Query): boolean {
  return policy.freeWhenRequested !== null && isRequested(policy.freeWhenRequested, query);
}
