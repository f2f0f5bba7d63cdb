import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

export interface RecordedRequest {
  /** `BROWSER`: the assistant has opened this address in the browser of the user. */
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

export interface McpRecording {
  program: string;
  requests: RecordedRequest[];
}

export function mcpRecordingOf(name: string): McpRecording {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as McpRecording;
}

/** Of which the answer may depend. */
const HEADERS = ['accept', 'authorization', 'content-type', 'mcp-protocol-version', 'origin', 'user-agent'];
const MADE_ANEW = ['client_id', 'code', 'code_verifier', 'refresh_token'];

/** Without what each run makes anew. */
export function stableRequest({
  method,
  path,
  headers,
  body,
  status,
}: {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  status: number;
}): RecordedRequest {
  const kept = HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    if (typeof value !== 'string') return [];
    return [[name, name === 'authorization' ? value.replace(/ .*/, ' TOKEN') : value]];
  });
  const type = headers['content-type'] ?? '';
  const said: unknown =
    body === '' ? null : type.startsWith('application/json') ? JSON.parse(body) : stableForm(body);
  return { method, path, headers: Object.fromEntries(kept), body: said, status };
}

function stableForm(body: string): Record<string, string> {
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      MADE_ANEW.includes(name) ? name.toUpperCase() : value,
    ]),
  );
}
