import helmet from 'helmet';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Helmet's headers, by their names in lower case. They are the same on every answer, so it is asked for them once. */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const sample: Partial<ServerResponse> = {
    setHeader(name, value) {
      headers[name.toLowerCase()] = String(value);
      return this as ServerResponse;
    },
    removeHeader: () => undefined,
  };
  const ask = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  ask(new IncomingMessage(new Socket()), sample as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
