/** The content types of downloads. */
export const STREAMED_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type StreamedFormat = keyof typeof STREAMED_TYPES;
type TextFormat = Exclude<StreamedFormat, 'xlsx'>;

/** The content types of a list that can also be downloaded, for the document. */
export const LIST_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'];
/** Those of a list that is also a workbook. */
export const TABLE_TYPES = [...LIST_TYPES, STREAMED_TYPES.xlsx];

/** The first supported format of the `Accept` header; null: JSON, which has pages. */
export function streamedTable(accept = ''): StreamedFormat | null {
  for (const type of accept.split(',').map((part) => part.replace(/;.*/s, '').trim().toLowerCase())) {
    if (type === 'application/json') return null;
    if (type === 'text/csv') return 'csv';
    if (type === 'application/x-ndjson') return 'ndjson';
    if (type === STREAMED_TYPES.xlsx) return 'xlsx';
  }
  return null;
}

/** The same for a list that is no workbook. */
export function streamedFormat(accept?: string): TextFormat | null {
  const format = streamedTable(accept);
  return format === 'xlsx' ? null : format;
}
