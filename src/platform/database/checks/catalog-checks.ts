import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Counter, Reference, RowCheck } from './data-checks.js';

export interface CheckedTable {
  name: string;
  /** The primary key. */
  key: string[];
}

/** SQL for the primary key of a row as text. */
export type IdOf = (table: string, alias: string) => string;

const TABLES = `
  SELECT t.relname AS name,
         ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey)
                WHERE i.indrelid = t.oid AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)) AS key
    FROM pg_class t
   WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')
   ORDER BY t.relname COLLATE "C"`;

const FOREIGN_KEYS = `
  SELECT t.relname AS "table", r.relname AS referenced,
         (SELECT string_agg(format('c.%I = p.%I', a.attname, b.attname), ' AND ') FROM unnest(k.conkey, k.confkey) AS pair (x, y)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x
            JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = y) AS match,
         (SELECT string_agg(format('c.%I IS NOT NULL', a.attname), ' AND ') FROM unnest(k.conkey) AS x
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x) AS present
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
   WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
   ORDER BY t.relname, k.conname`;

const CONDITIONS = `
  SELECT t.relname AS "table", k.conname AS name, pg_get_expr(k.conbin, k.conrelid) AS condition
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
   WHERE k.contype = 'c' AND k.connamespace = current_schema()::regnamespace
   ORDER BY t.relname, k.conname`;

export function findTables(runner: QueryRunner): Promise<CheckedTable[]> {
  return runner.query(TABLES) as Promise<CheckedTable[]>;
}

export function idsOf(tables: readonly CheckedTable[]): IdOf {
  const keys = new Map(tables.map(({ name, key }) => [name, key]));
  return (table, alias) => {
    const parts = (keys.get(table) ?? []).map((column) => `${alias}.${escapeIdentifier(column)}::text`);
    return parts.length === 0 ? `${alias}.ctid::text` : `concat_ws(' ', ${parts.join(', ')})`;
  };
}

/** The constraints of the schema: a restore without triggers, or a broken index, can leave rows that break them. */
export async function constraintChecks(runner: QueryRunner, idOf: IdOf): Promise<RowCheck[]> {
  const keys = (await runner.query(FOREIGN_KEYS)) as Record<
    'table' | 'referenced' | 'match' | 'present',
    string
  >[];
  const conditions = (await runner.query(CONDITIONS)) as Record<'table' | 'name' | 'condition', string>[];
  return [
    ...keys.map(({ table, referenced, match, present }) => ({
      table,
      problem: `refer to rows of ${referenced} that do not exist`,
      query:
        `SELECT ${idOf(table, 'c')} AS id FROM ${escapeIdentifier(table)} c ` +
        `WHERE ${present} AND NOT EXISTS (SELECT FROM ${escapeIdentifier(referenced)} p WHERE ${match})`,
    })),
    ...conditions.map(({ table, name, condition }) => ({
      table,
      problem: `break the constraint ${name}`,
      query: `SELECT ${idOf(table, 'c')} AS id FROM ${escapeIdentifier(table)} c WHERE NOT (${condition})`,
    })),
  ];
}

/** An id may be of a team or webhook whose rows are still being deleted. */
export function referenceCheck({ from, to, only = 'true' }: Reference, idOf: IdOf): RowCheck {
  const [table, column] = partsOf(from);
  const [referenced, key] = partsOf(to);
  return {
    table,
    problem: `have a ${column} that is in no row of ${referenced}`,
    query: `
      SELECT ${idOf(table, 'c')} AS id FROM ${escapeIdentifier(table)} c
       WHERE c.${escapeIdentifier(column)} IS NOT NULL AND (${only})
         AND NOT EXISTS (SELECT FROM ${escapeIdentifier(referenced)} p WHERE p.${escapeIdentifier(key)} = c.${escapeIdentifier(column)})
         AND NOT EXISTS (SELECT FROM erasures e WHERE e.subject = c.${escapeIdentifier(column)}::text)`,
  };
}

export function counterCheck({ counter, only, rows, by, counted }: Counter, idOf: IdOf): RowCheck {
  const [table, column] = partsOf(counter);
  return {
    table,
    problem: `have another ${column} than there are rows in ${rows}`,
    query: `
      SELECT ${idOf(table, 'c')} AS id FROM ${escapeIdentifier(table)} c
        LEFT JOIN (SELECT ${escapeIdentifier(by)}, count(*) AS rows FROM ${escapeIdentifier(rows)} WHERE ${counted} GROUP BY 1) r
             USING (${escapeIdentifier(by)})
       WHERE (${only}) AND c.${escapeIdentifier(column)} <> coalesce(r.rows, 0)`,
  };
}

/** @param place `table.column`. */
export function partsOf(place: string): [table: string, column: string] {
  const [table = '', column = ''] = place.split('.');
  return [table, column];
}
