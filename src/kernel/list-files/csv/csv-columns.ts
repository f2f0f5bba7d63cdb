/** The columns of a CSV. */
export interface CsvColumns {
  /** Unique. Grows with a row that has more cells. */
  names: string[];
  /** The index of the column with the addresses. */
  email: number;
}

type Row = readonly string[];

/** @param header the record that names the columns; null: none does. @param width the number of columns. */
export function columnsOf(header: Row | null, width: number, email: number): CsvColumns {
  const length = Math.max(width, email + 1);
  if (header === null) {
    const names = Array.from({ length }, (_, at) => (at === email ? 'email' : `column_${at + 1}`));
    return { names, email };
  }
  const given = Array.from({ length }, (_, at) => header[at]?.trim() ?? '');
  const free = new FreeNames(given);
  const seen = new Set<string>();
  const names = given.map((name, at) => {
    if (name === '') return free.next(`column_${at + 1}`);
    if (seen.has(name)) return free.next(name);
    seen.add(name);
    return name;
  });
  return { names, email };
}

/** Names the surplus cells of a row. */
export function addColumns({ names }: CsvColumns, width: number): void {
  const free = new FreeNames(names);
  while (names.length < width) names.push(free.next(`column_${names.length + 1}`));
}

class FreeNames {
  private readonly used: Set<string>;
  /** By name, the number that was given last: a search from the first one would take quadratic time. */
  private readonly numbers = new Map<string, number>();

  constructor(used: Iterable<string>) {
    this.used = new Set(used);
  }

  /** The name, with a number behind it if it is taken. */
  next(name: string): string {
    let number = this.numbers.get(name) ?? 1;
    let result = name;
    while (this.used.has(result)) result = `${name}_${++number}`;
    this.numbers.set(name, number);
    this.used.add(result);
    return result;
  }
}
