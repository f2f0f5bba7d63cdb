import { Injectable } from '@nestjs/common';
import { mediaTypeOf } from '../../../../platform/http/body/media-type.js';
import { SafeFetch } from '../../../../platform/net/safe-fetch.js';

export const MAX_DOCUMENT_BYTES = 5_120;
const TIMEOUT_MS = 5_000;
const JSON_TYPE = /^application\/([\w.-]+\+)?json$/;

/** Fetches metadata documents of clients, from addresses that webhooks may be sent to too. */
@Injectable()
export class ClientDocuments {
  constructor(private readonly net: SafeFetch) {}

  /** A redirect is a status like others. */
  async fetch(url: URL, timeoutMs = TIMEOUT_MS): Promise<Response> {
    const { statusCode, contentType, body } = await this.net.get(url, MAX_DOCUMENT_BYTES + 1, timeoutMs);
    // A response that was still arriving at the end of the time is cut off, so that it is no JSON.
    if (statusCode !== 200) return new Response(null, { status: isStatus(statusCode) ? statusCode : 502 });
    if (contentType !== null && !JSON_TYPE.test(mediaTypeOf(contentType).type))
      return new Response(null, { status: 415 });
    return new Response(new Uint8Array(body));
  }
}

/** Those that `Response` takes. */
function isStatus(code: number): boolean {
  return code >= 200 && code <= 599;
}
