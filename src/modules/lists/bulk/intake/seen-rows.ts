import { AddressCount } from '../../../../kernel/list-files/address-count.js';
import { isEmpty, type ListEntry } from '../../../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListHeader, type UniqueBy } from '../../../../kernel/list-files/list-format.js';
import type { ListWarnings } from '../../../../kernel/list-files/list-warnings.js';
import type { ListKey } from '../../../verification/verification/facts/address-facts.service.js';
import { ListProviders } from '../domain/hash-range.js';
import { truncated, type ListRow } from '../domain/list-row.js';

export type ListKeyOf = (email: string) => ListKey;

/** What the rows of an upload show. */
export interface SeenRows {
  /** As far as it is known. */
  header: ListHeader;
  providers: ListProviders;
  addresses: AddressCount;
  /** Rows in the database. */
  stored: number;
  /** Of a list that will be held; null: of another one. */
  warnings: ListWarnings | null;
  /** What their keys identify; null: there was no row yet. */
  keyedBy: UniqueBy | null;
}

export function newSeenRows(warnings: ListWarnings | null): SeenRows {
  const providers = new ListProviders();
  return {
    header: emptyHeader(),
    providers,
    addresses: new AddressCount(),
    stored: 0,
    warnings,
    keyedBy: null,
  };
}

/** The row of an entry, which is counted. */
export function identify(entry: ListEntry, index: number, listKeyOf: ListKeyOf, seen: SeenRows): ListRow {
  const { email, ref } = entry;
  const { header, providers, addresses, warnings } = seen;
  const text = truncated(email);
  if (isEmpty(text)) {
    addresses.addEmpty();
    warnings?.add(entry, header, 'empty');
    return { index, addressKey: null, email: text, ref };
  }
  const { addressKey, provider, error } = listKeyOf(text);
  addresses.add(error === null);
  warnings?.add(entry, header, error);
  if (provider !== null) providers.add(addressKey, provider);
  return { index, addressKey, email: text, ref };
}
