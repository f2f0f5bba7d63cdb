/** The formats of a body with outcomes. The route and the OpenAPI document derive from this table. */
export const OUTCOME_FORMATS = {
  json: {
    contentType: 'application/json',
    extensions: ['json'],
    description: 'one outcome, or `outcomes` with 1 to 1,000 of them, at most 2 MB',
  },
  csv: {
    contentType: 'text/csv',
    extensions: ['csv', 'tsv', 'txt'],
    description: 'columns named like the members of an outcome; other columns are ignored',
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    extensions: ['ndjson', 'jsonl'],
    description: 'one outcome per line',
  },
  message: {
    contentType: 'message/rfc822',
    extensions: ['eml'],
    description: 'one delivery report (RFC 3464, or of qmail) or complaint (RFC 5965), as it arrived',
  },
} as const satisfies Record<
  string,
  { contentType: string; extensions: readonly string[]; description: string }
>;
export type OutcomeFormat = keyof typeof OUTCOME_FORMATS;
