import { request, type IncomingHttpHeaders } from 'node:http';
import type { TestApp } from '../app/app.js';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As received, not decompressed. */
  body: Buffer;
}

/** A request whose response is not followed, decoded or parsed. */
export function ask(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}
