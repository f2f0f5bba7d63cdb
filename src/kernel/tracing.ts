/** Port: distributed traces. Without a tracing SDK in the process, nothing is recorded. */
export abstract class Tracing {
  /** The W3C `traceparent` of the work that is running, to be stored with what it hands over; null: none. */
  abstract traceparent(): string | null;

  /** Runs the work in a span of the trace that handed it over. @param traceparent null: a new trace. */
  abstract run<T>(
    span: string,
    traceparent: string | null,
    attributes: Record<string, string | number>,
    work: () => Promise<T>,
  ): Promise<T>;
}
