import { DELIMITER_NAMES } from './csv/csv-reading.js';
import { MalformedList } from './list-file.errors.js';
import type { ListHeader, ListOptions } from './list-format.js';

/** One row says nothing about a list. */
const MIN_ROWS = 2;
/** The share of rows that must have an address, of those with anything in its place. */
const MIN_SHARE = 0.05;

/** Counts the rows of a list, and those of them that have an address. */
export class AddressCount {
  rows = 0;
  /** Rows with nothing in its place. */
  empty = 0;
  addresses = 0;

  addEmpty(): void {
    this.rows++;
    this.empty++;
  }

  add(isAddress: boolean): void {
    this.rows++;
    if (isAddress) this.addresses++;
  }

  /**
   * Refuses a CSV that was read in a wrong way: nearly none of its rows would have an address, and each would be
   * charged. Who names the column or the delimiter means it.
   *
   * @throws MalformedList
   */
  requireAddresses({ format }: ListHeader, { column = null, delimiter = null }: ListOptions): void {
    if (format === null || column !== null || delimiter !== null || this.rows < MIN_ROWS) return;
    const filled = this.rows - this.empty;
    if (this.addresses > 0 && this.addresses >= MIN_SHARE * filled) return;
    const count = this.addresses === 0 ? 'No row' : `Only ${this.addresses} of ${filled} rows`;
    const between = DELIMITER_NAMES[format.delimiter] ?? JSON.stringify(format.delimiter);
    throw new MalformedList(
      `${count} of the list ${this.addresses > 1 ? 'have' : 'has'} nothing but a valid address in the column ${JSON.stringify(format.column.slice(0, 60))}, if its cells are read with ${between} between them. Nothing was charged. Name the column with email_column or the delimiter with delimiter: then all rows are verified as they are.`,
    );
  }
}
