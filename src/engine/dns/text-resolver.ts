import type { DnsFailure, DnsRequester } from './mx-resolver.js';

/** The TXT records of a name that begin with a version, as `v=spf1`; empty: it has none, or does not exist. */
export type TextRecords = { kind: 'texts'; texts: readonly string[] } | ({ kind: 'error' } & DnsFailure);

/** Port: looks up texts. */
export interface TextResolver {
  /**
   * @param name A-labels, lower case, no final dot.
   * @param signal cancels the wait; the response is then `error`. Never rejects.
   */
  findTexts(name: string, signal: AbortSignal, requester: DnsRequester): Promise<TextRecords>;
}
