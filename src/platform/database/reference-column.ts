import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * A column with the id of a row of another entity. Unless the options say otherwise, rows are deleted with the one
 * that they refer to.
 */
export function referenceColumn(
  table: string,
  name: string,
  target: string,
  { onDelete = 'CASCADE', ...options }: ReferenceOptions = {},
): EntitySchemaColumnOptions {
  const foreignKey = { target, name: `${table}_${name}_fkey`, onDelete };
  return { name, type: 'text', foreignKey, ...options };
}

interface ReferenceOptions {
  onDelete?: 'CASCADE' | 'SET NULL';
  nullable?: true;
  primary?: true;
}
