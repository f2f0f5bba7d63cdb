import type { MxRecord } from '../../../kernel/verdict.js';
import type { DnsResponse } from './dns-message.js';
import type { DnsRecord } from './dns-reader.js';

/** The result of a query over all attempts, servers and aliases. */
export type DnsOutcome =
  | { kind: 'records'; exchangers: MxRecord[]; addresses: string[] }
  | { kind: 'no_data' | 'no_domain' | 'error' };

/**
 * Records kept from one response: no client connects to more hosts or addresses, and a response of 64 kB
 * holds thousands.
 */
const MAX_RECORDS = 50;

export function outcomeOf(response: DnsResponse): DnsOutcome {
  if (response.kind !== 'records') return response;
  const { kind, records } = response;
  const exchangers = mostPreferred(records.flatMap(toMxRecord));
  const addresses = new Set(records.slice(0, MAX_RECORDS).flatMap(toAddress));
  return { kind, exchangers, addresses: [...addresses] };
}

/** In the order of the response, unless there are too many. */
function mostPreferred(exchangers: MxRecord[]): MxRecord[] {
  if (exchangers.length <= MAX_RECORDS) return exchangers;
  return exchangers.toSorted((a, b) => a.preference - b.preference).slice(0, MAX_RECORDS);
}

function toMxRecord(record: DnsRecord): MxRecord[] {
  if (record.type !== 'MX') return [];
  return [{ host: record.data.exchange, preference: record.data.preference }];
}

function toAddress(record: DnsRecord): string[] {
  return record.type === 'A' || record.type === 'AAAA' ? [record.data] : [];
}
