import { trace } from '@opentelemetry/api';

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
