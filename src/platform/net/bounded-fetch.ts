/** A response has more bytes than its reader takes. */
export class ResponseTooLarge extends Error {}

/** Statuses whose responses have no body. */
const NO_BODY = [204, 304];

/**
 * `fetch` for the endpoints of an operator's provider: the response is read up to a limit, and no redirect is followed.
 *
 * @throws ResponseTooLarge, and what `fetch` throws.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      // Leaving the loop cancels the body.
      if (bytes > maxBytes) throw new ResponseTooLarge('response too large');
      chunks.push(chunk);
    }
    return new Response(NO_BODY.includes(status) ? null : Buffer.concat(chunks), { status, headers });
  };
}
