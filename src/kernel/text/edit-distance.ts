const MAX_LENGTH = 253;

/**
 * The edit distance of two texts: insertions, deletions, substitutions and transpositions of neighbours
 * (optimal string alignment: no letter is edited twice).
 *
 * Time and space are proportional to the product of the lengths, of which the longer one is at most that of a domain
 * name. The distance to a longer text is infinite.
 *
 * @param max a greater distance need not be exact: it may be Infinity.
 */
export function editDistance(a: string, b: string, max = Infinity): number {
  if (Math.max(a.length, b.length) > MAX_LENGTH) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let leastOfLast = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const best = Math.min(at(last, column) + 1, at(current, column - 1) + 1, substitution);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const distance = swapped ? Math.min(best, at(beforeLast, column - 2) + 1) : best;
      current.push(distance);
      if (distance < least) least = distance;
    }
    // No later row has less than these two.
    if (Math.min(leastOfLast, least) > max) return Infinity;
    leastOfLast = least;
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

/** Cells outside the table are infinite. */
function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
