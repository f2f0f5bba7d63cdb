import type { EntityManager } from 'typeorm';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';

/** Bytes in hexadecimal: for many rows, a string costs less than a `Buffer`. */
export class HexBytes {
  constructor(readonly digits: string) {}
}

/** A column value that `field` can encode in COPY's text format. */
type Value = string | number | boolean | Buffer | HexBytes | null;

/** Rows in one write to the socket. */
const ROWS_PER_WRITE = 500;

/**
 * Inserts rows with COPY, which is several times as fast as INSERT. Uses the manager's transaction
 * if one is open.
 *
 * @param into the table and its columns, for example `t (a, b)`.
 */
export async function copyRows<Row>(
  manager: EntityManager,
  into: string,
  rows: readonly Row[],
  values: (row: Row) => readonly Value[],
): Promise<void> {
  if (rows.length === 0) return;
  const open = manager.queryRunner;
  const runner = open ?? manager.dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const copy = `COPY ${into} FROM STDIN`;
    await pipeline(texts(rows, values), client.query(copyFrom(copy))).catch((error: Error) => {
      // As TypeORM does for its own queries.
      manager.dataSource.logger.logQueryError(error, copy);
      throw error;
    });
  } finally {
    if (open === undefined) await runner.release();
  }
}

function* texts<Row>(rows: readonly Row[], values: (row: Row) => readonly Value[]): Generator<Buffer> {
  for (let from = 0; from < rows.length; from += ROWS_PER_WRITE) {
    let text = '';
    for (const row of rows.slice(from, from + ROWS_PER_WRITE)) {
      let separator = '';
      for (const value of values(row)) {
        text += separator + field(value);
        separator = '\t';
      }
      text += '\n';
    }
    yield Buffer.from(text);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
  if (value instanceof HexBytes) return `\\\\x${value.digits}`;
  return Buffer.isBuffer(value) ? `\\\\x${value.toString('hex')}` : String(value);
}
