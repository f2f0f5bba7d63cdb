/** Why a record is not used, although there is one. */
export const RECORD_ERRORS = ['several_records', 'too_long', 'invalid'] as const;
export type RecordError = (typeof RECORD_ERRORS)[number];

/** A record as it is published. */
export interface PublishedRecord {
  /** null: there is none, or there are several. A long one is cut. */
  record: string | null;
  /** null: the record is used, or there is none. */
  error: RecordError | null;
}

/** What a sender that is not listed gets. */
export const SPF_RESULTS = ['pass', 'fail', 'softfail', 'neutral'] as const;
export type SpfResult = (typeof SPF_RESULTS)[number];

export interface SpfRecord extends PublishedRecord {
  /** By the mechanism `all`; null: the record has none. */
  all: SpfResult | null;
}

export interface MtaStsRecord extends PublishedRecord {
  /** Changes with the policy (RFC 8461 §3.1). */
  id: string | null;
}

/** A record that the reader of texts has cut has at least this length. */
const CUT_LENGTH = 2_048;

/** The only record among the texts of a name that has this version. */
export function onlyRecord(texts: readonly string[], version: RegExp): PublishedRecord {
  const records = texts.filter((text) => version.test(text));
  const [record] = records;
  if (record === undefined) return { record: null, error: null };
  if (records.length > 1) return { record: null, error: 'several_records' };
  return { record, error: record.length >= CUT_LENGTH ? 'too_long' : null };
}

const SPF = /^v=spf1(?: |$)/i;
const ALL = / ([+?~-]?)all(?: |$)/i;
const RESULTS: Readonly<Record<string, SpfResult>> = { '-': 'fail', '~': 'softfail', '?': 'neutral' };

/** @param texts of the domain. The record is not evaluated: what it includes is not looked up (RFC 7208 §4.5). */
export function spfOf(texts: readonly string[]): SpfRecord {
  const found = onlyRecord(texts, SPF);
  const all = ALL.exec(found.record ?? '');
  return { ...found, all: all === null ? null : (RESULTS[all[1] ?? ''] ?? 'pass') };
}

const MTA_STS = /^v=STSv1[ \t]*;/;
const ID = /;[ \t]*id[ \t]*=[ \t]*([a-zA-Z0-9]{1,32})[ \t]*(?:;|$)/;

/** @param texts of `_mta-sts` below the domain. */
export function mtaStsOf(texts: readonly string[]): MtaStsRecord {
  const found = onlyRecord(texts, MTA_STS);
  const id = ID.exec(found.record ?? '')?.[1] ?? null;
  const isInvalid = found.record !== null && found.error === null && id === null;
  return { ...found, error: isInvalid ? 'invalid' : found.error, id };
}
