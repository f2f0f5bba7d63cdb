import type { ServerResponse } from 'node:http';

/** Calls back when the response was sent, or the client has disconnected: also if it has already. */
export function onClientGone(response: ServerResponse, callback: () => void): void {
  if (response.closed || response.destroyed) callback();
  else response.once('close', callback);
}

/** Aborts then: nobody waits for the work any more. */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  onClientGone(response, () => gone.abort());
  return gone.signal;
}
