/** Spreadsheets use a semicolon where the locale has a decimal comma. */
export const DELIMITERS = [',', ';', '\t'];
/** Excel writes and reads a first line that names the delimiter. */
const NAMED_DELIMITER = /^"?sep=([^"\r\n])"?$/i;

/** The delimiter of a CSV: the one that its first line names, else the most frequent one in it. */
export function delimiterOf(line: string): { delimiter: string; isNamed: boolean } {
  const named = NAMED_DELIMITER.exec(line)?.[1];
  if (named !== undefined) return { delimiter: named, isNamed: true };
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  const most = DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
  return { delimiter: most, isNamed: false };
}
