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
  verdict: Verdict | null;
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
  const source = batches[Symbol.asyncIterator]();
  const addresses = new Addresses(options);
  const window: Row[] = [];
  let index = first;
  let isExhausted = false;
  const mayRead = () => !isExhausted && window.length < options.windowRows;
  try {
    for (;;) {
      if (mayRead()) {
        const next = await source.next();
        if (next.done === true) isExhausted = true;
        else
          for (const entry of next.value)
            window.push({ ...entry, index: index++, address: addresses.verify(entry.email) });
      }
      const results = dequeueComplete(window);
      if (results.length > 0) yield results;
      else if (isExhausted && window.length === 0) return;
      else if (!mayRead()) await addresses.nextVerdict();
    }
  } finally {
    addresses.stop();
    if (!isExhausted) await source.return?.();
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
  private readonly failures: unknown[] = [];
  private readonly stopping = new AbortController();
  private wake = () => undefined as void;

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
    const address: Address = { verdict: null, waiting: 1 };
    if (this.options.isRepeated(key)) this.remember(key, address);
    void this.complete(email, address);
    return address;
  }

  /** @throws what a verification threw. */
  async nextVerdict(): Promise<void> {
    if (this.failures.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failures.length > 0) throw this.failures[0];
  }

  /** Those that have not started do not start. */
  stop(): void {
    this.stopping.abort();
  }

  private async complete(email: string, address: Address): Promise<void> {
    try {
      address.verdict = await this.options.verify(email, this.stopping.signal);
      if (address.verdict !== null) this.options.onVerified(address.waiting);
    } catch (error) {
      this.failures.push(error);
    }
    this.wake();
  }

  private remember(key: string, address: Address): void {
    const [oldest] = this.repeated.size < MAX_REPEATED ? [] : this.repeated.keys();
    if (oldest !== undefined) this.repeated.delete(oldest);
    this.repeated.set(key, address);
  }
}
