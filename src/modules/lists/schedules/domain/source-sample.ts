import { AddressCount } from '../../../../kernel/list-files/address-count.js';
import { isEmpty } from '../../../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListOptions } from '../../../../kernel/list-files/list-format.js';
import { RunFailure, type Failure } from './failure.js';
import type { OpenedList, SourceFacts, SourcePiece } from './list-source.js';

/** Of a check. A file may have any number of columns. */
export const MAX_COLUMNS = 100;
export const MAX_COLUMN_LENGTH = 200;

/** What the first rows of a source show. */
export interface SourceCheck {
  columns: readonly string[] | null;
  emailColumn: string | null;
  rows: number;
  /** Of these, rows with a valid address. */
  addresses: number;
  /** Whether these are all rows. */
  isWhole: boolean;
  facts: SourceFacts;
  /** Why a run would fail; null: it would not, as far as it is known. */
  failure: Failure | null;
}

/** The first rows of a source. */
export class SourceSample {
  private readonly count = new AddressCount();
  private header = emptyHeader();
  private opened: OpenedList | null = null;
  private isWhole = false;

  /** @param isAddress whether a text is a valid address. */
  constructor(private readonly isAddress: (text: string) => boolean) {}

  get rows(): number {
    return this.count.rows;
  }

  open(list: OpenedList): void {
    this.opened = list;
  }

  add({ rows, header }: SourcePiece): void {
    this.header = header;
    for (const { email } of rows)
      if (isEmpty(email)) this.count.addEmpty();
      else this.count.add(this.isAddress(email));
  }

  /** All rows were read. */
  end(): void {
    this.isWhole = true;
  }

  /** A run fails at the same. @throws MalformedList, RunFailure */
  requireAddresses(kind: 'url' | 'listmonk'): void {
    const options: ListOptions = this.opened?.options ?? {};
    this.count.requireAddresses(this.header, options);
    if (kind === 'url' && this.count.rows === this.count.empty) throw new RunFailure('empty');
  }

  check(failure: Failure | null): SourceCheck {
    const { columns, format } = this.header;
    return {
      columns: columns?.slice(0, MAX_COLUMNS).map((name) => name.slice(0, MAX_COLUMN_LENGTH)) ?? null,
      emailColumn: format?.column.slice(0, MAX_COLUMN_LENGTH) ?? null,
      rows: this.count.rows,
      addresses: this.count.addresses,
      isWhole: this.isWhole,
      facts: this.opened?.facts() ?? { total: null, lists: null },
      failure,
    };
  }
}
