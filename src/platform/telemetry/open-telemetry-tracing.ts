import { Injectable } from '@nestjs/common';
import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { Tracing } from '../../kernel/tracing.js';

/** The API of OpenTelemetry does nothing unless the operator has loaded its SDK (`node --import`). */
@Injectable()
export class OpenTelemetryTracing extends Tracing {
  private readonly tracer = trace.getTracer('rcpt');

  override traceparent(): string | null {
    const carrier: { traceparent?: string } = {};
    propagation.inject(context.active(), carrier);
    return carrier.traceparent ?? null;
  }

  override run<T>(
    name: string,
    traceparent: string | null,
    attributes: Record<string, string | number>,
    work: () => Promise<T>,
  ): Promise<T> {
    const parent = propagation.extract(ROOT_CONTEXT, traceparent === null ? {} : { traceparent });
    return this.tracer.startActiveSpan(name, { attributes }, parent, async (span) => {
      try {
        return await work();
      } catch (error) {
        // Not its message, which may contain data. The log has its code.
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }
}

/**
 * The span of the request that is running; null: there is none. Its URL may contain an address or a token, and is
 * replaced by the route.
 */
export function requestSpan(): { setRoute(method: string, route: string | null): void } | null {
  const span = trace.getActiveSpan();
  if (span === undefined) return null;
  return {
    setRoute(method, route) {
      span.setAttributes({ 'url.path': route ?? '', 'url.query': '' });
      if (route === null) return;
      span.setAttribute('http.route', route);
      span.updateName(`${method} ${route}`);
    },
  };
}
