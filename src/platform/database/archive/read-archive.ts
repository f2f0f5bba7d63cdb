import { opened, type ArchiveKeys } from './archive-seal.js';
import {
  END,
  endIn,
  MANIFEST,
  manifestIn,
  MAX_JSON_BYTES,
  memberOf,
  type ArchiveEnd,
  type Manifest,
  type RowCount,
  type TableShape,
} from './archive-format.js';
import { damaged } from './archive-rejected.js';
import { inflated } from './inflated.js';
import { RowScan } from './row-scan.js';
import { TarMembers } from './tar-members.js';

/** In this order: the manifest, each of its tables, the end. The rows are read before the next part. */
export type ArchivePart =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; table: TableShape; rows: AsyncGenerator<Buffer>; counted: () => number }
  | { kind: 'end'; end: ArchiveEnd };

/**
 * Reads an archive from its start to its end, in constant memory.
 *
 * @throws ArchiveRejected as soon as something is wrong; only an archive that was read to its end is complete.
 */
export async function* readArchive(
  archive: AsyncIterable<Buffer>,
  keys: ArchiveKeys,
): AsyncGenerator<ArchivePart> {
  const members = new TarMembers(inflated(opened(archive, keys)));
  try {
    const manifest = manifestIn(await contentOf(members, MANIFEST));
    yield { kind: 'manifest', manifest };
    const counted: RowCount[] = [];
    for (const table of manifest.tables) {
      const scan = new RowScan(table, damaged);
      const text = await members.next(memberOf(table));
      yield { kind: 'table', table, rows: scanned(text, scan), counted: () => scan.rows };
      counted.push({ name: table.name, rows: scan.rows });
    }
    const end = endIn(await contentOf(members, END), counted);
    yield { kind: 'end', end };
    await members.end();
  } finally {
    await members.close();
  }
}

/** Reads the whole archive. @returns its manifest. @throws ArchiveRejected */
export async function validateArchive(archive: AsyncIterable<Buffer>, keys: ArchiveKeys): Promise<Manifest> {
  let found: Manifest | null = null;
  for await (const part of readArchive(archive, keys)) {
    if (part.kind === 'manifest') found = part.manifest;
    if (part.kind === 'table') while ((await part.rows.next()).done !== true);
  }
  if (found === null) throw damaged('it has no manifest');
  return found;
}

async function contentOf(members: TarMembers, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await members.next(name, MAX_JSON_BYTES)) parts.push(part);
  return Buffer.concat(parts);
}

async function* scanned(text: AsyncIterable<Buffer>, scan: RowScan): AsyncGenerator<Buffer> {
  for await (const part of text) {
    scan.scan(part);
    yield part;
  }
  scan.end();
}
