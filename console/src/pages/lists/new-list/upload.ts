import { BASE, lost } from '../../../api/connection';
import type { BulkJob } from '../../../api/client';
import { ConnectionLost, errorOf } from '../../../api/problem';
import { currentKey } from '../../../api/session';
import type { Language } from '../../../texts/texts';

export interface Upload {
  body: Blob;
  type: 'text/csv' | 'application/x-ndjson';
  query: {
    name?: string;
    email_column?: string;
    delimiter?: string;
    extract_address?: boolean;
    header?: boolean;
    header_line?: number;
    encoding?: string;
    refresh?: boolean;
    notify?: Language;
    hold?: boolean;
    unique?: BulkJob['unique_by'];
  };
  /** The same for retries of the upload, so that they create no second job. */
  idempotencyKey: string;
  /** Of the team that the list is for, if the session may show another one since. */
  key?: string | null;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** With `XMLHttpRequest`, because `fetch` does not report upload progress. @throws ApiError, ConnectionLost */
export function uploadList({
  body,
  type,
  query,
  idempotencyKey,
  key = currentKey(),
  onProgress,
  signal,
}: Upload): Promise<BulkJob> {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  // With %20 for a space, so that no proxy can take it for a plus sign.
  const search = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))
    .toString()
    .replaceAll('+', '%20');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${BASE}v1/verify/bulk?${search}`);
    request.setRequestHeader('Authorization', `Bearer ${key ?? ''}`);
    request.setRequestHeader('Content-Type', type);
    request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status === 202) resolve(request.response as BulkJob);
      else reject(errorOf(responseOf(request), request.response));
    };
    request.onerror = () => {
      lost();
      reject(new ConnectionLost());
    };
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const names = ['Retry-After', 'X-Request-Id'];
  const headers = names.flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  return new Response(null, { status: request.status, headers });
}
