import { isSecure } from '../../../platform/config/oidc-config.js';
import { ProviderUnavailable } from '../domain/identity-provider.js';

/** Metadata, keys and tokens have a few kB. */
const MAX_BYTES = 256_000;
const NO_BODY = [204, 304];

/**
 * `fetch` for an identity provider: a limited response, and no connection that others can read. The library sets the
 * timeout, and follows no redirect.
 *
 * @throws ProviderUnavailable
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  if (!isSecure(new URL(url))) throw new ProviderUnavailable('insecure endpoint');
  const response = await fetch(url, options);
  const { status, headers } = response;
  if (status >= 500) throw new ProviderUnavailable(`status ${status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > MAX_BYTES) throw new ProviderUnavailable('response too large');
    chunks.push(chunk);
  }
  return new Response(NO_BODY.includes(status) ? null : Buffer.concat(chunks), { status, headers });
}
