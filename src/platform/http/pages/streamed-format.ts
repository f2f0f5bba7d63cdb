/** The content types of downloads. */
export const STREAMED_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

export type StreamedFormat = keyof typeof STREAMED_TYPES;

/** The content types of a list that can also be downloaded, for the document. */
export const LIST_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'];

/** The first supported format of the `Accept` header; null: JSON, which has pages. */
export function streamedFormat(accept = ''): StreamedFormat | null {
  for (const type of accept.split(',').map((part) => part.replace(/;.*/s, '').trim().toLowerCase())) {
    if (type === 'application/json') return null;
    if (type === 'text/csv') return 'csv';
    if (type === 'application/x-ndjson') return 'ndjson';
  }
  return null;
}
