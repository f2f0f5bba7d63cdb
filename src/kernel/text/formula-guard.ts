/** `=` and `@` begin a formula in every spreadsheet; full-width forms are read like the others. */
const FORMULA = /^[=@\uff1d\uff20]/u;
const SIGN = /^[+\-\uff0b\uff0d]/u;
/** Digits, separators and currency signs compute at most a number: a phone number, an amount, a lone sign. */
const NUMERIC = /^[\d\s.,/()%\p{Sc}-]*(?:\d[eE][+-]?\d{1,3})?$/u;
const START = /^[\s"]*/u;

/**
 * The text of a CSV cell, prefixed with `'` if a spreadsheet would execute it as a formula: `=` or `@`, or a
 * sign before anything but a number, also after white space. Other cells stay as they are.
 *
 * @param others delimiters of other CSVs. A spreadsheet that splits at one of them does not see the quotes
 * of the cell, so what follows a delimiter is prefixed too.
 */
export function guardFormula(cell: string, others: readonly string[] = []): string {
  const guarded = runs(cell.trimStart()) ? `'${cell}` : cell;
  return others.reduce((text, delimiter) => guardParts(text, delimiter), guarded);
}

function guardParts(text: string, delimiter: string): string {
  if (!text.includes(delimiter)) return text;
  const [first = '', ...rest] = text.split(delimiter);
  const parts = rest.map((part) => (runs(part.replace(START, '')) ? `'${part}` : part));
  return [first, ...parts].join(delimiter);
}

function runs(text: string): boolean {
  return FORMULA.test(text) || (SIGN.test(text) && !NUMERIC.test(text.slice(1)));
}
