/** `=` and `@` begin a formula in every spreadsheet; full-width forms are read like the others. */
const FORMULA = /^[=@\uff1d\uff20]/u;
const SIGN = /^[+\-\uff0b\uff0d]/u;
/** Digits, separators and currency signs compute at most a number: a phone number, an amount, a lone sign. */
const NUMERIC = /^[\d\s.,/()%\p{Sc}-]*(?:\d[eE][+-]?\d{1,3})?$/u;

/**
 * The text of a CSV cell, prefixed with `'` if a spreadsheet would execute it as a formula: `=` or `@`, or a
 * sign before anything but a number, also after white space. Other cells stay as they are.
 */
export function guardFormula(cell: string): string {
  const start = cell.trimStart();
  const runs = FORMULA.test(start) || (SIGN.test(start) && !NUMERIC.test(start.slice(1)));
  return runs ? `'${cell}` : cell;
}
