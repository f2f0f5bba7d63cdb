import { isUsualAddress } from '../../text/addresses-in-text.js';

/** Rows of which each is one cell in quotation marks, as some exports of spreadsheets have them. */
export interface DividedRows {
  /** Of the table. */
  width: number;
  /** The index of the column with the addresses. */
  column: number;
  /** Whether the table consists of such rows; otherwise only a row that fits is divided. */
  all: boolean;
}

/** @param parts of the only cell of a row. @returns whether they are its cells. */
export function areCells(parts: readonly string[], { width, column, all }: DividedRows): boolean {
  if (parts.length < 2) return false;
  return all || (parts.length === width && isUsualAddress(parts[column] ?? ''));
}
