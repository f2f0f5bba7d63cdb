import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import { append } from '../../../kernel/long-lists.js';
import type { TableShape } from './archive-format.js';

interface FoundTable extends TableShape {
  /** A crash of the server empties it, so that nothing in it is needed. */
  unlogged: boolean;
  /** The tables that its foreign keys refer to. */
  references: string[];
}

export interface ArchivedTables {
  /** Of the tables and sequences. */
  schema: string;
  /** Ordered so that a foreign key refers to a table before it. */
  tables: TableShape[];
  leftOut: string[];
  /** Those that count keys of the tables. */
  sequences: string[];
}

/** Without the tables of extensions. A generated column is computed again. */
const TABLES = `
  SELECT t.relname AS name, t.relpersistence = 'u' AS unlogged,
         ARRAY(SELECT a.attname::text FROM pg_attribute a
                WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY a.attnum) AS columns,
         ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
                WHERE k.conrelid = t.oid AND k.contype = 'f' AND r.oid <> t.oid) AS references
    FROM pg_class t
   WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY t.relname COLLATE "C"`;

const SEQUENCES = `
  SELECT s.relname AS name, t.relname AS owner
    FROM pg_class s
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
         AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class t ON t.oid = d.refobjid
   WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace
   ORDER BY s.relname COLLATE "C"`;

/** @param isLeftOut whether a backup does not contain a table; unlogged ones are never in it. */
export async function findArchivedTables(
  runner: QueryRunner,
  isLeftOut: (name: string) => boolean,
): Promise<ArchivedTables> {
  const [own] = (await runner.query('SELECT current_schema() AS schema')) as { schema: string }[];
  const found = (await runner.query(TABLES)) as FoundTable[];
  const isArchived = ({ name, unlogged }: FoundTable) => !unlogged && !isLeftOut(name);
  const archived = found.filter(isArchived);
  const names = new Set(archived.map(({ name }) => name));
  const sequences = (await runner.query(SEQUENCES)) as { name: string; owner: string }[];
  return {
    schema: own?.schema ?? '',
    tables: inOrderOfKeys(archived, names).map(({ name, columns }) => ({ name, columns })),
    leftOut: found.filter((table) => !isArchived(table)).map(({ name }) => name),
    sequences: sequences.filter(({ owner }) => names.has(owner)).map(({ name }) => name),
  };
}

/** With its schema: a name alone may be that of a table of the system. */
export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** The table and its columns, for COPY. */
export function copyTarget(schema: string, { name, columns }: TableShape): string {
  return `${qualified(schema, name)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`;
}

/** @throws Error when foreign keys form a circle. */
function inOrderOfKeys(tables: readonly FoundTable[], names: ReadonlySet<string>): FoundTable[] {
  const ordered: FoundTable[] = [];
  const placed = new Set<string>();
  const isReady = ({ references }: FoundTable) =>
    references.every((name) => placed.has(name) || !names.has(name));
  for (let left = [...tables]; left.length > 0;) {
    const ready = left.filter(isReady);
    if (ready.length === 0)
      throw new Error(`foreign keys of ${left.map(({ name }) => name).join(', ')} refer to each other`);
    append(ordered, ready);
    for (const { name } of ready) placed.add(name);
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}
