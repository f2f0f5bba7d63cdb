import { createHash } from 'node:crypto';
import { cutOff, damaged } from './archive-rejected.js';
import { ByteQueue } from './byte-queue.js';

/** Tables and columns as they were read, without the rows. */
export interface Manifest {
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
  /** Only in an encrypted archive: the keys of `SECRET_KEY`. */
  secret_keys?: string[];
}

export interface TableShape {
  name: string;
  columns: string[];
}

export interface TableEnd {
  rows: number;
  /** Of the text of COPY. */
  bytes: number;
  sha256: string;
}

export interface SequenceState {
  name: string;
  last_value: string;
  is_called: boolean;
}

export interface ArchiveEnd {
  tables: number;
  rows: number;
  sequences: SequenceState[];
  /** Of all records before. */
  sha256: string;
}

/** The contents of an archive, in this order: manifest; for each table table, rows, tableEnd; end. */
export type ArchiveRecord =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; table: { name: string } }
  | { kind: 'rows'; text: Buffer }
  | { kind: 'tableEnd'; end: TableEnd }
  | { kind: 'end'; end: ArchiveEnd };

const TYPES = { manifest: 'M', table: 'T', rows: 'D', tableEnd: 'E', end: 'Z' } as const;
const KINDS = new Map(Object.entries(TYPES).map(([kind, type]) => [type.charCodeAt(0), kind]));
const HEAD_BYTES = 5;
/** Of a manifest of some thousand tables, and more than a part of COPY. */
const MAX_RECORD_BYTES = 4_194_304;
export const MAX_ROWS_BYTES = 65_536;

/** Writes records, and knows the checksum of what it wrote. */
export class RecordEncoder {
  private readonly hash = createHash('sha256');

  encode(kind: keyof typeof TYPES, content: Buffer | object): Buffer {
    const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const head = Buffer.alloc(HEAD_BYTES);
    head.write(TYPES[kind], 'latin1');
    head.writeUInt32BE(body.length, 1);
    const record = Buffer.concat([head, body]);
    this.hash.update(record);
    return record;
  }

  /** Of all records so far. */
  checksum(): string {
    return this.hash.copy().digest('hex');
  }
}

/**
 * The records of an archive. Counts and checksums are compared, and nothing may follow the end.
 *
 * @throws ArchiveRejected
 */
export async function* recordsIn(content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveRecord> {
  const queue = new ByteQueue();
  const order = new RecordOrder();
  for await (const part of content) {
    queue.push(part);
    for (let record; (record = nextRecord(queue, order)) !== null;) yield record;
  }
  if (queue.length > 0 || !order.isComplete) throw cutOff();
}

interface Head {
  bytes: Buffer;
  kind: string;
  length: number;
}

/** Checks each record against those before it. */
class RecordOrder {
  head: Head | null = null;
  isComplete = false;
  private readonly hash = createHash('sha256');
  private pending: string[] | null = null;
  private table: { hash: ReturnType<typeof createHash>; bytes: number } | null = null;
  private readonly sums = { tables: 0, rows: 0 };

  accept(record: ArchiveRecord, bytes: readonly Buffer[]): ArchiveRecord {
    if (this.isComplete) throw damaged('something follows its end');
    this.check(record);
    for (const part of bytes) this.hash.update(part);
    return record;
  }

  private check(record: ArchiveRecord): void {
    if (record.kind === 'manifest') {
      if (this.pending !== null) throw damaged('it has two manifests');
      this.pending = record.manifest.tables.map(({ name }) => name);
    } else if (record.kind === 'table') {
      if (this.table !== null || this.pending?.[0] !== record.table.name)
        throw damaged('its tables are not in order');
      this.pending.shift();
      this.table = { hash: createHash('sha256'), bytes: 0 };
    } else if (record.kind === 'rows') {
      if (this.table === null) throw damaged('it has rows outside of a table');
      this.table.hash.update(record.text);
      this.table.bytes += record.text.length;
    } else if (record.kind === 'tableEnd') {
      const { table } = this;
      const { bytes, sha256, rows } = record.end;
      if (table?.bytes !== bytes || table.hash.digest('hex') !== sha256)
        throw damaged('the checksum of a table is another one');
      this.sums.tables++;
      this.sums.rows += rows;
      this.table = null;
    } else {
      const { tables, rows, sha256 } = record.end;
      if (this.table !== null || this.pending?.length !== 0) throw damaged('it ends before its last table');
      if (this.hash.copy().digest('hex') !== sha256) throw damaged('its checksum is another one');
      if (tables !== this.sums.tables || rows !== this.sums.rows) throw damaged('its counts are other ones');
      this.isComplete = true;
    }
  }
}

function nextRecord(queue: ByteQueue, order: RecordOrder): ArchiveRecord | null {
  if (order.head === null && queue.length >= HEAD_BYTES) order.head = headIn(queue.take(HEAD_BYTES));
  const { head } = order;
  if (head === null || queue.length < head.length) return null;
  const body = queue.take(head.length);
  order.head = null;
  return order.accept(recordOf(head.kind, body), [head.bytes, body]);
}

function headIn(bytes: Buffer): Head {
  const kind = KINDS.get(bytes.readUInt8(0));
  const length = bytes.readUInt32BE(1);
  if (kind === undefined || length > MAX_RECORD_BYTES) throw damaged('it has a record of an unknown kind');
  return { bytes, kind, length };
}

/** The seal has shown that a record is as it was written, so that its members need no check. */
function recordOf(kind: string, body: Buffer): ArchiveRecord {
  if (kind === 'rows') return { kind, text: body };
  const content = parsed(body);
  if (kind === 'manifest') return { kind, manifest: content as Manifest };
  if (kind === 'table') return { kind, table: content as { name: string } };
  if (kind === 'tableEnd') return { kind, end: content as TableEnd };
  return { kind: 'end', end: content as ArchiveEnd };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw damaged('a record is not readable');
  }
}
