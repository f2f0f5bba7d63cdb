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
  const given = Array.from({ length: Math.max(width, email + 1) }, (_, at) => header?.[at]?.trim() ?? '');
  const used = new Set(given);
  const names = given.map((name, at) => {
    if (header === null) return at === email ? 'email' : `column_${at + 1}`;
    if (name === '') return free(`column_${at + 1}`, used);
    return given.indexOf(name) === at ? name : free(name, used);
  });
  return { names, email };
}

/** Names the surplus cells of a row. */
export function addColumns({ names }: CsvColumns, width: number): void {
  const used = new Set(names);
  while (names.length < width) names.push(free(`column_${names.length + 1}`, used));
}

/** The name, with a number behind it if it is taken. */
function free(name: string, used: Set<string>): string {
  let result = name;
  for (let number = 2; used.has(result); number++) result = `${name}_${number}`;
  used.add(result);
  return result;
}
