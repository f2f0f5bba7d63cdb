import { Injectable } from '@nestjs/common';
import { SnsEndpoint } from '../domain/sns-endpoint.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 20_000;

@Injectable()
export class FetchSnsEndpoint extends SnsEndpoint {
  async get(url: string): Promise<string | null> {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { status, body } = response;
    if (status === 200) return textOf(body);
    await body?.cancel();
    if (status >= 400 && status < 500 && status !== 429) return null;
    throw new Error(`The response has the status ${status}`);
  }
}

/** @throws if it is longer than a certificate; the rest is not read. */
async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('The response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
