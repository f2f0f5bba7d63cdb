import { ArchiveRejected, damaged } from './archive-rejected.js';

/**
 * An archive is a tar file with these members in this order: `manifest.json`, `tables/NAME.copy` for each table of the
 * manifest (the text of COPY), `end.json`. It is compressed with gzip, and encrypted in the format of age.
 */
export const MANIFEST = 'manifest.json';
export const END = 'end.json';

export function memberOf({ name }: TableShape): string {
  return `tables/${name}.copy`;
}

export const FORMAT = 1;

/** Tables and columns as they were read, without the rows. */
export interface Manifest {
  format: typeof FORMAT;
  /** The version of Rcpt that made the archive. */
  rcpt: string;
  created_at: string;
  /** The last of `migrations`. */
  revision: string;
  migrations: string[];
  /** In the order in which rows can be inserted. */
  tables: TableShape[];
  /** Tables whose rows are not in the archive. */
  left_out: string[];
  /** The keys of `SECRET_KEY`; `rcpt backup` writes them only into an encrypted archive. */
  secret_keys?: string[];
}

export interface TableShape {
  name: string;
  columns: string[];
}

export interface SequenceState {
  name: string;
  last_value: string;
  is_called: boolean;
}

export interface RowCount {
  name: string;
  rows: number;
}

/** Written after the rows, whose numbers are not known before. */
export interface ArchiveEnd {
  tables: RowCount[];
  sequences: SequenceState[];
}

/** Of a manifest of some thousand tables. */
export const MAX_JSON_BYTES = 1_048_576;
const MAX_TABLES = 10_000;
/** Of a table of PostgreSQL. */
const MAX_COLUMNS = 1_600;

const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const MIGRATION = /^[A-Za-z]\w{0,199}$/;
const VERSION = /^[\w.+-]{1,60}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** 32 bytes in base64. */
const SECRET_KEY = /^[A-Za-z0-9+/]{43}=$/;
/** A positive number of eight bytes; PostgreSQL refuses what is too large. */
const LAST_VALUE = /^[1-9]\d{0,18}$/;

/** @throws ArchiveRejected when it has another form. */
export function manifestIn(bytes: Buffer): Manifest {
  const found = objectIn(bytes, MANIFEST);
  if (Number.isSafeInteger(found.format) && Number(found.format) > FORMAT)
    throw new ArchiveRejected(
      'newer_format',
      `The archive has format ${Number(found.format)}, and this version of Rcpt reads format ${FORMAT}: install the version that made it.`,
    );
  const { rcpt, created_at, revision, migrations, tables, left_out, secret_keys } = found;
  const isValid =
    found.format === FORMAT &&
    isText(VERSION)(rcpt) &&
    isText(TIME)(created_at) &&
    isListOf(migrations, isText(MIGRATION)) &&
    migrations.length > 0 &&
    revision === migrations.at(-1) &&
    isListOf(tables, isTable) &&
    isUnique(tables) &&
    isListOf(left_out, isText(/^[^]{1,63}$/)) &&
    (secret_keys === undefined || (isListOf(secret_keys, isText(SECRET_KEY)) && secret_keys.length > 0));
  if (!isValid) throw anotherForm(MANIFEST);
  return found as unknown as Manifest;
}

/** @param counted the rows that were read. @throws ArchiveRejected when it has another form, or other numbers. */
export function endIn(bytes: Buffer, counted: readonly RowCount[]): ArchiveEnd {
  const found = objectIn(bytes, END);
  const { tables, sequences } = found;
  if (!isListOf(tables, isRowCount) || !isListOf(sequences, isSequence) || !isUnique(sequences))
    throw anotherForm(END);
  const isSame = ({ name, rows }: RowCount, place: number) =>
    tables[place]?.name === name && tables[place].rows === rows;
  if (tables.length !== counted.length || !counted.every(isSame))
    throw damaged('a table has another number of rows');
  return { tables, sequences };
}

function objectIn(bytes: Buffer, member: string): Record<string, unknown> {
  let content: unknown = null;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch {
    // It is none of the objects below.
  }
  if (!isObject(content)) throw anotherForm(member);
  return content;
}

function anotherForm(member: string): ArchiveRejected {
  return damaged(`its ${member} is not as \`rcpt backup\` writes it`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(pattern: RegExp): (value: unknown) => value is string {
  return (value): value is string => typeof value === 'string' && pattern.test(value);
}

function isListOf<T>(
  value: unknown,
  isMember: (member: unknown) => member is T,
  limit = MAX_TABLES,
): value is T[] {
  return Array.isArray(value) && value.length <= limit && value.every(isMember);
}

function isUnique(named: readonly { name: string }[]): boolean {
  return new Set(named.map(({ name }) => name)).size === named.length;
}

function isTable(value: unknown): value is TableShape {
  if (!isObject(value) || !isText(NAME)(value.name)) return false;
  const { columns } = value;
  if (!isListOf(columns, isText(NAME), MAX_COLUMNS)) return false;
  return columns.length > 0 && new Set(columns).size === columns.length;
}

function isRowCount(value: unknown): value is RowCount {
  return isObject(value) && isText(NAME)(value.name) && Number.isSafeInteger(value.rows);
}

function isSequence(value: unknown): value is SequenceState {
  if (!isObject(value) || typeof value.is_called !== 'boolean') return false;
  return isText(NAME)(value.name) && isText(LAST_VALUE)(value.last_value);
}
