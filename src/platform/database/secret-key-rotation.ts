import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntitySchema } from 'typeorm';
import { SecretKeys } from '../secrets/secret-keys.js';

/** A property with texts that are encrypted with `SECRET_KEY`: an envelope, or JSON that contains some. */
export interface EncryptedProperty {
  schema: EntitySchema;
  property: string;
}

export interface RotatedColumn {
  table: string;
  column: string;
  /** Rows with a value. */
  rows: number;
  /** Rows that were encrypted again. */
  rotated: number;
  /** Rows that no key of `SECRET_KEY` decrypts. */
  unreadable: number;
  /** Of the first of these. */
  unreadableIds: string[];
}

interface Place {
  table: string;
  column: string;
  type: string;
  /** The primary key. */
  key: readonly string[];
}

type KeyValue = string | Buffer;

interface StoredValue {
  id: KeyValue[];
  text: string;
}

/** A response that is kept for a repeated request can have a megabyte. */
const BATCH = 50;
const MAX_IDS = 20;

/**
 * Encrypts with the first key what was encrypted with others. Each batch commits on its own, and what has the first key
 * stays unchanged, so that the next run continues one that was interrupted.
 */
@Injectable()
export class SecretKeyRotation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: SecretKeys,
  ) {}

  async run(properties: readonly EncryptedProperty[]): Promise<RotatedColumn[]> {
    const columns: RotatedColumn[] = [];
    for (const property of properties) columns.push(await this.rotate(this.placeOf(property)));
    return columns;
  }

  private placeOf({ schema, property }: EncryptedProperty): Place {
    const metadata = this.dataSource.getMetadata(schema);
    const column = metadata.findColumnWithPropertyName(property);
    if (column === undefined) throw new Error(`${metadata.tableName} has no ${property}`);
    const key = metadata.primaryColumns.map(({ databaseName }) => databaseName);
    return { table: metadata.tableName, column: column.databaseName, type: String(column.type), key };
  }

  private async rotate(place: Place): Promise<RotatedColumn> {
    const { table, column } = place;
    const sum: RotatedColumn = { table, column, rows: 0, rotated: 0, unreadable: 0, unreadableIds: [] };
    for (let after: KeyValue[] | null = null, isFull = true; isFull;) {
      const last: KeyValue[] | null = after;
      const work = (manager: EntityManager) => this.batch(manager, place, last, sum);
      const batch: StoredValue[] = await this.dataSource.transaction(work);
      isFull = batch.length === BATCH;
      after = batch.at(-1)?.id ?? null;
    }
    return sum;
  }

  private async batch(
    manager: EntityManager,
    place: Place,
    after: KeyValue[] | null,
    sum: RotatedColumn,
  ): Promise<StoredValue[]> {
    const stored = await lockValues(manager, place, after);
    for (const { id, text } of stored) {
      const rotated = this.keys.rotated(text);
      sum.rows++;
      if (!rotated.isReadable && sum.unreadable++ < MAX_IDS) sum.unreadableIds.push(id.map(shown).join(' '));
      if (rotated.text === text) continue;
      await save(manager, place, { id, text: rotated.text });
      sum.rotated++;
    }
    return stored;
  }
}

/** Some values in order of the primary key, locked until the transaction ends. */
async function lockValues(
  manager: EntityManager,
  { table, column, key }: Place,
  after: KeyValue[] | null,
): Promise<StoredValue[]> {
  const places = key.map((_, n) => `$${n + 1}`).join(', ');
  const next = after === null ? '' : `AND (${key.join(', ')}) > (${places})`;
  const rows = await manager.query<Record<string, KeyValue>[]>(
    `SELECT ${key.join(', ')}, ${column}::text AS stored FROM ${table}
      WHERE ${column} IS NOT NULL ${next} ORDER BY ${key.join(', ')} LIMIT ${BATCH} FOR UPDATE`,
    after ?? [],
  );
  return rows.map((row) => ({ id: key.map((name) => row[name] ?? ''), text: String(row.stored) }));
}

async function save(
  manager: EntityManager,
  { table, column, type, key }: Place,
  { id, text }: StoredValue,
): Promise<void> {
  const same = key.map((name, n) => `${name} = $${n + 2}`).join(' AND ');
  await manager.query(`UPDATE ${table} SET ${column} = $1::${type} WHERE ${same}`, [text, ...id]);
}

function shown(value: KeyValue): string {
  return typeof value === 'string' ? value : value.toString('hex');
}
