import type { Verdict } from '../../../kernel/verdict.js';
import type { ListEntry } from './list-entry.js';
import type { RowResult } from './list.repository.js';

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
  /** Called with the number of rows that have a verdict now. */
  onVerified: (rows: number) => void;
}

/** An address of one or more rows. */
interface Address {
  /** null: not known yet. */
  verdict: Verdict | null;
  /** Resolves when it is known. */
  isVerified: Promise<void>;
  /** Rows that wait for the verdict. */
  waiting: number;
}

interface Row extends ListEntry {
  index: number;
  address: Address;
}

/** Verdicts of repeated addresses that are kept for later rows. */
const MAX_REPEATED = 100_000;

/**
 * Verifies rows and yields them in input order, as soon as all rows before them are complete. A row
 * without a verdict delays the rows behind it, and the verification of others only when the window is full.
 *
 * @param first the index of the first row.
 */
export async function* verifyInOrder(
  batches: AsyncIterable<readonly ListEntry[]>,
  first: number,
  options: OrderedVerification,
): AsyncGenerator<readonly RowResult[], void, undefined> {
  const addresses = new Addresses(options);
  const window: Row[] = [];
  let index = first;
  /** Waits for the first row while that many rows are in the window. */
  const dequeueUntil = async function* (rows: number) {
    for (;;) {
      const results = dequeueComplete(window);
      if (results.length > 0) yield results;
      if (window.length <= rows) return;
      await window[0]?.address.isVerified;
    }
  };
  try {
    for await (const entries of batches) {
      for (const entry of entries)
        window.push({ ...entry, index: index++, address: addresses.verify(entry.email) });
      yield* dequeueUntil(options.windowRows - 1);
    }
    yield* dequeueUntil(0);
  } finally {
    addresses.stop();
  }
}

/** Removes the rows before the first one without a verdict. */
function dequeueComplete(window: Row[]): RowResult[] {
  const open = window.findIndex(({ address }) => address.verdict === null);
  const complete = window.splice(0, open === -1 ? window.length : open);
  return complete.map(({ email, ref, index, address }) => ({ email, ref, index, verdict: address.verdict }));
}

/** The addresses in the window, and repeated ones before it. */
class Addresses {
  private readonly repeated = new Map<string, Address>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: OrderedVerification) {}

  /** Starts the verification, unless the address occurred before. */
  verify(email: string): Address {
    const key = this.options.identify(email);
    const known = this.repeated.get(key);
    if (known !== undefined) {
      if (known.verdict === null) known.waiting++;
      else this.options.onVerified(1);
      return known;
    }
    const address: Address = { verdict: null, isVerified: Promise.resolve(), waiting: 1 };
    address.isVerified = this.complete(email, address);
    // A failure is thrown when the row is the first.
    address.isVerified.catch(() => undefined);
    if (this.options.isRepeated(key)) this.remember(key, address);
    return address;
  }

  /** Those that have not started do not start. */
  stop(): void {
    this.stopping.abort();
  }

  private async complete(email: string, address: Address): Promise<void> {
    address.verdict = await this.options.verify(email, this.stopping.signal);
    if (address.verdict !== null) this.options.onVerified(address.waiting);
  }

  private remember(key: string, address: Address): void {
    const [oldest] = this.repeated.size < MAX_REPEATED ? [] : this.repeated.keys();
    if (oldest !== undefined) this.repeated.delete(oldest);
    this.repeated.set(key, address);
  }
}
