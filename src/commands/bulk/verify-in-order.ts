import { inSpelling } from '../../engine/address/email-address.js';
import { isEmpty, type ListEntry, type RowResult } from '../../kernel/list-files/list-entry.js';
import type { Verdict } from '../../kernel/verdict.js';

export interface OrderedVerification {
  /**
   * Starts when the mail servers can use another address. Never rejects because of the network.
   *
   * @returns null when the signal aborted before.
   */
  verify: (email: string, signal: AbortSignal) => Promise<Verdict | null>;
  /** Rows that were read and are not yielded; those of the last batch may exceed it. */
  windowRows: number;
  /** The key of an address, which all its spellings have. */
  identify: (email: string) => string;
  /** Whether an address may occur again. */
  isRepeated: (key: string) => boolean;
  /** Whether a row says which one before it has the same key; its verdict has its own spelling then. */
  marksDuplicates?: boolean;
  /** Whether a row is not verified: its result is kept from an earlier run, and it is yielded without a verdict. */
  isKept?: (index: number) => boolean;
  /** Called with the rows that have a verdict now, or no address, in any order. */
  onVerified: (rows: readonly RowResult[]) => void;
}

/** Rows in input order; those without an address have no verdict. */
export interface OrderedRows extends AsyncIterable<readonly RowResult[]> {
  /** The addresses of the rows that were read and have no verdict yet. */
  open(): string[];
}

/** An address of one or more rows. */
interface Address {
  /** null: not known yet. */
  verdict: Verdict | null;
  /** Resolves when it is known. */
  isVerified: Promise<void>;
  /** Rows that wait for the verdict. */
  waiting: Row[];
  /** As spelled in its first row. */
  email: string;
}

interface Row extends ListEntry {
  index: number;
  /** null: the row has none, or is kept. */
  address: Address | null;
  /** The address of the first row with the same key; null: it is the first one, or duplicates are not marked. */
  duplicateOf: string | null;
}

/** Verdicts of repeated addresses that are kept for later rows. */
const MAX_REPEATED = 100_000;

/**
 * Verifies rows and yields them in input order, as soon as all rows before them are complete. A row
 * without a verdict delays the rows behind it, and the verification of others only when the window is full.
 *
 * @param first the index of the first row.
 */
export function verifyInOrder(
  batches: AsyncIterable<readonly ListEntry[]>,
  first: number,
  options: OrderedVerification,
): OrderedRows {
  const window: Row[] = [];
  return {
    [Symbol.asyncIterator]: () => results(batches, first, window, options),
    open: () => window.filter(isOpen).map(({ email }) => email),
  };
}

async function* results(
  batches: AsyncIterable<readonly ListEntry[]>,
  first: number,
  window: Row[],
  options: OrderedVerification,
): AsyncGenerator<readonly RowResult[], void, undefined> {
  const addresses = new Addresses(options);
  let index = first;
  /** Waits for the first row while that many rows are in the window. */
  const dequeueUntil = async function* (rows: number) {
    for (;;) {
      const complete = dequeueComplete(window);
      if (complete.length > 0) yield complete;
      if (window.length <= rows) return;
      await window[0]?.address?.isVerified;
    }
  };
  try {
    for await (const entries of batches) {
      for (const entry of entries) {
        const row: Row = { ...entry, index: index++, address: null, duplicateOf: null };
        window.push(row);
        if (isEmpty(row.email)) options.onVerified([resultOf(row)]);
        else if (options.isKept?.(row.index) !== true) addresses.verify(row);
      }
      yield* dequeueUntil(options.windowRows - 1);
    }
    yield* dequeueUntil(0);
  } finally {
    addresses.stop();
  }
}

function isOpen({ address }: Row): boolean {
  return address !== null && address.verdict === null;
}

/** Removes the rows before the first one without a verdict. */
function dequeueComplete(window: Row[]): RowResult[] {
  const open = window.findIndex(isOpen);
  return window.splice(0, open === -1 ? window.length : open).map(resultOf);
}

function resultOf({ email, ref, index, address, duplicateOf }: Row): RowResult {
  const verdict = address?.verdict ?? null;
  if (verdict === null || duplicateOf === null) return { email, ref, index, verdict };
  return { email, ref, index, verdict: inSpelling(verdict, email), duplicateOf };
}

/** The addresses in the window, and repeated ones before it. */
class Addresses {
  private readonly repeated = new Map<string, Address>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: OrderedVerification) {}

  /** Starts the verification, unless the address occurred before. */
  verify(row: Row): void {
    const key = this.options.identify(row.email);
    const known = this.repeated.get(key);
    if (known !== undefined) {
      row.address = known;
      if (this.options.marksDuplicates === true) row.duplicateOf = known.email;
      if (known.verdict === null) known.waiting.push(row);
      else this.options.onVerified([resultOf(row)]);
      return;
    }
    const address: Address = {
      verdict: null,
      isVerified: Promise.resolve(),
      waiting: [row],
      email: row.email,
    };
    row.address = address;
    address.isVerified = this.complete(row.email, address);
    // A failure is thrown when the row is the first.
    address.isVerified.catch(() => undefined);
    if (this.options.isRepeated(key)) this.remember(key, address);
  }

  /** Those that have not started do not start. */
  stop(): void {
    this.stopping.abort();
  }

  private async complete(email: string, address: Address): Promise<void> {
    address.verdict = await this.options.verify(email, this.stopping.signal);
    if (address.verdict === null) return;
    this.options.onVerified(address.waiting.map(resultOf));
    // A repeated address outlives its rows.
    address.waiting = [];
  }

  private remember(key: string, address: Address): void {
    const [oldest] = this.repeated.size < MAX_REPEATED ? [] : this.repeated.keys();
    if (oldest !== undefined) this.repeated.delete(oldest);
    this.repeated.set(key, address);
  }
}
