import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { Engine } from '../../engine/engine.js';
import { AddressCount } from './domain/address-count.js';
import { isEmpty, type ListEntry } from './domain/list-entry.js';
import { emptyHeader, ListReader, type ListHeader, type ListOptions } from './domain/list-reader.js';
import type { RowResult } from './domain/list.repository.js';
import { RepeatedTexts } from './domain/repeated-texts.js';
import { verifyInOrder, type OrderedRows } from './domain/verify-in-order.js';

export type { ListEncoding, ListOptions } from './domain/list-reader.js';
export type { RowResult };

/** A list that can be read several times, and how it is read. */
export interface LocalList {
  open: () => AsyncIterable<Buffer>;
  options: ListOptions;
}

/** The result of reading a list to its end. */
export interface ListScan {
  rows: number;
  /** Of these, the ones without an address, which get no verdict. */
  empty: number;
  header: ListHeader;
  repeated: RepeatedTexts;
}

export interface LocalVerification {
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

/** Verifies the rows of a list in this process, without a database. */
@Injectable()
export class LocalListService {
  constructor(
    private readonly reader: ListReader,
    private readonly engine: Engine,
  ) {}

  /** @throws InvalidRequest, MalformedList if a row cannot be read. */
  async scan(list: LocalList): Promise<ListScan> {
    const scan = { rows: 0, empty: 0, header: emptyHeader(), repeated: new RepeatedTexts() };
    const addresses = new AddressCount();
    for await (const entries of this.read(list, scan.header)) {
      scan.rows += entries.length;
      for (const { email } of entries) {
        if (isEmpty(email)) {
          addresses.addEmpty();
          continue;
        }
        addresses.add(parseEmailAddress(email).ok);
        scan.repeated.add(this.engine.identify(email));
      }
    }
    scan.empty = addresses.empty;
    addresses.requireAddresses(scan.header, list.options);
    return scan;
  }

  /**
   * The rows in input order, each as soon as those before it are verified; the spellings of an address
   * are verified once.
   */
  verify(list: LocalList, { scan, skip, isKept = () => false, onVerified }: LocalVerification): OrderedRows {
    const rules = { roleIsRisky: false };
    return verifyInOrder(withoutFirst(this.read(list, emptyHeader()), skip), skip, {
      verify: (email, signal) => this.engine.checkListed(email, rules, signal),
      windowRows: WINDOW_ROWS,
      identify: (email) => this.engine.identify(email),
      isRepeated: (key) => scan.repeated.has(key),
      isKept,
      onVerified,
    });
  }

  private read({ open, options }: LocalList, header: ListHeader): AsyncIterable<readonly ListEntry[]> {
    return this.reader.read('csv', open(), header, options);
  }
}

async function* withoutFirst(
  batches: AsyncIterable<readonly ListEntry[]>,
  count: number,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  let left = count;
  for await (const entries of batches) {
    if (left < entries.length) yield entries.slice(left);
    left = Math.max(0, left - entries.length);
  }
}
