import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Helmet's headers. They are the same on every answer, so it is asked for them once. */
export function securityHeaders(): RequestHandler {
  const headers = helmetsHeaders();
  return (_, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function helmetsHeaders(): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const sample: Partial<ServerResponse> = {
    setHeader(name, value) {
      headers.push([name, String(value)]);
      return this as Response;
    },
    removeHeader: () => undefined,
  };
  const ask = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  ask(new IncomingMessage(new Socket()), sample as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
