import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { workbookFiles, type Cell } from './workbook-files.js';
import { append } from '../../../kernel/long-lists.js';

interface ZipEntry {
  name: string;
  text: AsyncIterable<string> | Iterable<string>;
}

const [LOCAL_HEADER, DATA_DESCRIPTOR, CENTRAL_HEADER, END] = [0x04034b50, 0x08074b50, 0x02014b50, 0x06054b50];
const VERSION = 20;
/** The sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first date that a ZIP file can have. */
const DATE = 0x0021;
const MAX_SIZE = 0xffff_ffff;

/** An Excel workbook that is written while its rows are read. */
export const workbook = (
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer, void, undefined> => zip(workbookFiles(header, batches));

/** A ZIP archive (APPNOTE 6.3, without ZIP64) that is written while its files are made. */
async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer, void, undefined> {
  const directory: Buffer[] = [];
  let count = 0;
  let offset = 0;
  for await (const { name, text } of entries) {
    const title = Buffer.from(name);
    const sizes = { crc: 0, packed: 0, unpacked: 0 };
    const start = offset;
    const local = [u32(LOCAL_HEADER), ...attributes(), u32(0, 0, 0), u16(title.length, 0), title];
    const header = Buffer.concat(local);
    yield header;
    for await (const piece of deflated(text, sizes)) {
      sizes.packed += piece.length;
      yield piece;
    }
    const measured = u32(sizes.crc, checked(sizes.packed), checked(sizes.unpacked));
    const descriptor = Buffer.concat([u32(DATA_DESCRIPTOR), measured]);
    yield descriptor;
    offset = checked(start + header.length + sizes.packed + descriptor.length);
    const fields = [u32(CENTRAL_HEADER), u16(VERSION), ...attributes(), measured];
    count++;
    append(directory, [...fields, u16(title.length, 0, 0, 0, 0), u32(0, start), title]);
  }
  const central = Buffer.concat(directory);
  const end = [u32(END), u16(0, 0, count, count), u32(central.length, offset), u16(0)];
  yield Buffer.concat([central, ...end]);
}

async function* deflated(
  text: ZipEntry['text'],
  sizes: { crc: number; unpacked: number },
): AsyncGenerator<Buffer, void, undefined> {
  async function* measured(): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      sizes.crc = crc32(bytes, sizes.crc);
      sizes.unpacked += bytes.length;
      yield bytes;
    }
  }
  // The loop below throws its error.
  const deflate = pipeline(measured(), createDeflateRaw({ level: 1 }), () => undefined);
  for await (const piece of deflate) yield piece as Buffer;
}

/** The same in both headers of a file. */
const attributes = () => [u16(VERSION, FLAGS, DEFLATE, 0, DATE)];

/** @throws RangeError for what needs ZIP64. */
function checked(size: number): number {
  if (size > MAX_SIZE) throw new RangeError('The archive has more than 4 GB');
  return size;
}

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => buffer.writeUInt16LE(value, at * 2));
  return buffer;
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => buffer.writeUInt32LE(value, at * 4));
  return buffer;
}
