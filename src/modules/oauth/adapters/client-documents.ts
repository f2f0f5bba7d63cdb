import { Injectable } from '@nestjs/common';
import { SafeFetch } from '../../../platform/net/safe-fetch.js';

/** More than any known client needs. */
export const MAX_DOCUMENT_BYTES = 5_120;
const TIMEOUT_MS = 5_000;
/** A document is cached for at least five minutes, and at most a day. */
export const CACHED_SECONDS = { min: 300, max: 86_400 };

/** Fetches metadata documents of clients, from addresses that webhooks may be sent to too. */
@Injectable()
export class ClientDocuments {
  constructor(private readonly net: SafeFetch) {}

  /** For the authorization server, which checks the status and the content. A redirect is a status like others. */
  async fetch(url: URL, timeoutMs = TIMEOUT_MS): Promise<Response> {
    const { statusCode, body } = await this.net.get(url, MAX_DOCUMENT_BYTES + 1, timeoutMs);
    // A response that was still arriving at the end of the time is cut off, so that it is no JSON.
    const hasBody = statusCode === 200;
    return new Response(hasBody ? new Uint8Array(body) : null, {
      status: isStatus(statusCode) ? statusCode : 502,
    });
  }
}

/** Those that `Response` takes. */
function isStatus(code: number): boolean {
  return code >= 200 && code <= 599;
}
