import type { QueryRunner } from 'typeorm';
import type { TableShape } from './archive-records.js';

interface FoundTable extends TableShape {
  /** A crash of the server empties it, so that nothing in it is needed. */
  unlogged: boolean;
  /** The tables that its foreign keys refer to. */
  references: string[];
}

export interface ArchivedTables {
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
    LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
         AND d.refclassid = 'pg_class'::regclass
    LEFT JOIN pg_class t ON t.oid = d.refobjid
   WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace
   ORDER BY s.relname COLLATE "C"`;

/** @param leftOut tables that a backup does not contain, besides unlogged ones. */
export async function findArchivedTables(
  runner: QueryRunner,
  leftOut: ReadonlySet<string>,
): Promise<ArchivedTables> {
  const found = (await runner.query(TABLES)) as FoundTable[];
  const isLeftOut = ({ name, unlogged }: FoundTable) => unlogged || leftOut.has(name);
  const archived = found.filter((table) => !isLeftOut(table));
  const names = new Set(archived.map(({ name }) => name));
  const sequences = (await runner.query(SEQUENCES)) as { name: string; owner: string | null }[];
  return {
    tables: inOrderOfKeys(archived, names).map(({ name, columns }) => ({ name, columns })),
    leftOut: found.filter(isLeftOut).map(({ name }) => name),
    sequences: sequences.filter(({ owner }) => owner === null || names.has(owner)).map(({ name }) => name),
  };
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
    ordered.push(...ready);
    for (const { name } of ready) placed.add(name);
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}
