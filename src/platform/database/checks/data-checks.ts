/** What must hold in the data, beyond what the schema says. Each owner of tables declares it for its own. */

/** Something that is wrong. */
export interface Finding {
  /** The table, or the table and its column. */
  place: string;
  /** What is wrong with these rows. */
  problem: string;
  /** How many rows. */
  rows: number;
  /** Of the first of them; never addresses. */
  ids: string[];
}

/** Rows that are wrong. */
export interface RowCheck {
  table: string;
  problem: string;
  /** SQL for their ids, as a column `id`. */
  query: string;
}

/** A column that contains an id of another table without a foreign key, as `table.column`. */
export interface Reference {
  from: string;
  to: string;
  /** A condition in SQL on the row; in others the id may be of a deleted object. */
  only?: string;
}

/** A column that counts rows of another table. */
export interface Counter {
  /** `table.column`. */
  counter: string;
  /** Which rows have a counter, in SQL. */
  only: string;
  /** The table with the rows that are counted. */
  rows: string;
  /** The column that both tables have. */
  by: string;
  /** Which rows are counted, in SQL. */
  counted: string;
}

/** A column with JSON that code reads without checking it. */
export interface JsonShape {
  /** `table.column`. */
  column: string;
  isValid(value: unknown): boolean;
}

export interface DataChecks {
  rows: readonly RowCheck[];
  references: readonly Reference[];
  counters: readonly Counter[];
  shapes: readonly JsonShape[];
}

/** An object of JSON, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNumberRecord(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'number');
}

export function isTextArray(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
