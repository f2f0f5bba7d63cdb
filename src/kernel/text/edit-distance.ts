/**
 * The edit distance of two texts: insertions, deletions, substitutions and transpositions of neighbours
 * (optimal string alignment: no letter is edited twice).
 *
 * Time and space are proportional to the product of the lengths; meant for names.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const best = Math.min(at(last, column) + 1, at(current, column - 1) + 1, substitution);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(swapped ? Math.min(best, at(beforeLast, column - 2) + 1) : best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

/** Cells outside the table are infinite. */
function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
