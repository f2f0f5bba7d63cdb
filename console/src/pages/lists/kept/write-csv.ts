import { guardFormula } from '../../../../../src/kernel/text/formula-guard';

/** Delimiters that a spreadsheet may split a CSV at, whatever its own is. */
const DELIMITERS = [',', ';', '\t'];
const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV for Excel. */
export async function writeCsv(batches: AsyncIterable<string[][]>, delimiter: string): Promise<Blob> {
  const others = DELIMITERS.filter((other) => other !== delimiter);
  const parts = [BYTE_ORDER_MARK];
  for await (const rows of batches)
    parts.push(rows.map((cells) => csvLine(cells, delimiter, others)).join(''));
  return new Blob(parts, { type: 'text/csv' });
}

function csvLine(cells: readonly string[], delimiter: string, others: readonly string[]): string {
  const written = cells.map((cell) => {
    const guarded = guardFormula(cell, others);
    const mustQuote = [delimiter, ...others, '"', '\r', '\n'].some((separator) =>
      guarded.includes(separator),
    );
    return mustQuote ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  });
  return `${written.join(delimiter)}\n`;
}
