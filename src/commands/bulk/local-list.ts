import { canonicalEmail } from '../../engine/address/canonical-email.js';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import type { Engine } from '../../engine/engine.js';
import { AddressCount } from '../../kernel/list-files/address-count.js';
import { isEmpty, type ListEntry, type RowResult } from '../../kernel/list-files/list-entry.js';
import {
  emptyHeader,
  type ListHeader,
  type ListOptions,
  type ListPiece,
  type UniqueBy,
} from '../../kernel/list-files/list-format.js';
import { readList } from '../../platform/list-files/read-list.js';
import { RepeatedTexts } from './repeated-texts.js';
import { verifyInOrder, type OrderedRows } from './verify-in-order.js';

/** A list that can be read several times, and how it is read. */
export interface LocalList {
  open: () => AsyncIterable<Buffer>;
  options: ListOptions;
  /** Default: `address`. */
  uniqueBy?: UniqueBy;
}

/** The result of reading a list to its end. */
export interface ListScan {
  rows: number;
  /** Of these, the ones without an address, which get no verdict. */
  empty: number;
  header: ListHeader;
  repeated: RepeatedTexts;
}

interface LocalVerification {
  scan: ListScan;
  /** Rows at the beginning that are not verified. */
  skip: number;
  /** Whether a row is not verified, and is yielded without a verdict. */
  isKept?: (index: number) => boolean;
  /** Called with rows that have a verdict now, in any order; they are yielded when those before them have one. */
  onVerified: (rows: readonly RowResult[]) => void;
}

/** A full window has about 45 MB with short rows, 100 MB with 1 kB in the other columns of each. */
const WINDOW_ROWS = 10_000;

/** @throws InvalidRequest, MalformedList if a row cannot be read. */
export async function scanList(list: LocalList, engine: Engine): Promise<ListScan> {
  const scan: ListScan = { rows: 0, empty: 0, header: emptyHeader(), repeated: new RepeatedTexts() };
  const addresses = new AddressCount();
  const identify = identifierOf(list, engine);
  for await (const { entries, header } of piecesOf(list)) {
    scan.header = header;
    scan.rows += entries.length;
    for (const { email } of entries) {
      if (isEmpty(email)) {
        addresses.addEmpty();
        continue;
      }
      addresses.add(parseEmailAddress(email).ok);
      scan.repeated.add(identify(email));
    }
  }
  scan.empty = addresses.empty;
  addresses.requireAddresses(scan.header, list.options);
  return scan;
}

/**
 * Verifies the rows of a list in this process, without a database.
 *
 * @returns the rows in input order, each as soon as those before it are verified; the spellings of an address
 * are verified once.
 */
export function verifyList(
  list: LocalList,
  engine: Engine,
  { scan, skip, isKept = () => false, onVerified }: LocalVerification,
): OrderedRows {
  const rules = { roleIsRisky: false };
  return verifyInOrder(withoutFirst(piecesOf(list), skip), skip, {
    verify: (email, signal) => engine.checkListed(email, rules, signal),
    windowRows: WINDOW_ROWS,
    identify: identifierOf(list, engine),
    marksDuplicates: list.uniqueBy === 'canonical',
    isRepeated: (key) => scan.repeated.has(key),
    isKept,
    onVerified,
  });
}

/** The key of what is verified once. */
export function identifierOf(
  { uniqueBy }: Pick<LocalList, 'uniqueBy'>,
  engine: Engine,
): (email: string) => string {
  if (uniqueBy !== 'canonical') return (email) => engine.identify(email);
  return (email) => {
    const parsed = parseEmailAddress(email);
    return engine.identify((parsed.ok ? canonicalEmail(parsed.address) : null) ?? email);
  };
}

/** The columns of a list without rows, and how it is read. @throws MalformedList */
export async function headerOf(list: LocalList): Promise<ListHeader> {
  let header = emptyHeader();
  for await (const piece of piecesOf(list)) header = piece.header;
  return header;
}

function piecesOf({ open, options }: LocalList): AsyncIterable<ListPiece> {
  return readList('csv', open(), options);
}

async function* withoutFirst(
  pieces: AsyncIterable<ListPiece>,
  count: number,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  let left = count;
  for await (const { entries } of pieces) {
    if (left < entries.length) yield entries.slice(left);
    left = Math.max(0, left - entries.length);
  }
}
