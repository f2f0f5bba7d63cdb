/** Files that are no table although a person may take them for one. */
export type WrongKind =
  'pdf' | 'oldExcel' | 'archive' | 'binary' | 'vcard' | 'json' | 'tooLarge' | 'sheetTooLarge';

/** The file cannot be read, and why. */
export class WrongFile extends Error {
  constructor(readonly kind: WrongKind) {
    super(kind);
  }
}

const PDF = [0x25, 0x50, 0x44, 0x46];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** XLS, and a workbook with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
const VCARD = /^\s*BEGIN:VCARD\b/i;
/** A list of values, or an object with a member. */
const JSON_VALUE = /^\s*(?:\[\s*["{[\]]|\{\s*(?:"[^"]*"\s*:|\}))/;
const MAX_UNPACKED = 500_000_000;

/** By its first bytes, whatever its name is. @throws WrongFile */
export async function isWorkbook(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 4_096).arrayBuffer());
  const begins = (bytes: readonly number[]) => bytes.every((byte, index) => start[index] === byte);
  if (begins(PDF)) throw new WrongFile('pdf');
  if (begins(COMPOUND)) throw new WrongFile('oldExcel');
  if (begins(ZIP)) {
    await checkArchive(file);
    return true;
  }
  // UTF-16 has them too, after its byte order mark.
  const isUtf16 = begins([0xff, 0xfe]) || begins([0xfe, 0xff]);
  if (!isUtf16 && start.includes(0)) throw new WrongFile('binary');
  const text = new TextDecoder().decode(start);
  if (VCARD.test(text)) throw new WrongFile('vcard');
  if (JSON_VALUE.test(text)) throw new WrongFile('json');
  return false;
}

const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const [END_SIGNATURE, ENTRY_SIGNATURE] = [0x06054b50, 0x02014b50];

/**
 * Reads the directory at the end of a ZIP file, so that nothing is unpacked that is no workbook, or would use
 * up the memory of the browser. @throws WrongFile
 */
async function checkArchive(file: Blob): Promise<void> {
  const offset = Math.max(0, file.size - END_BYTES - MAX_COMMENT);
  const tail = new DataView(await file.slice(offset).arrayBuffer());
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) throw new WrongFile('archive');
  const [size, begin] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const directory = new DataView(await file.slice(begin, begin + size).arrayBuffer());
  let unpacked = 0;
  let hasWorkbook = false;
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== ENTRY_SIGNATURE) break;
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.getUint16(at + field, true));
    const bytes = new Uint8Array(directory.buffer, at + ENTRY_BYTES, name);
    hasWorkbook ||= new TextDecoder().decode(bytes) === 'xl/workbook.xml';
    unpacked += directory.getUint32(at + 24, true);
    at += ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  if (!hasWorkbook) throw new WrongFile('archive');
  if (unpacked > MAX_UNPACKED) throw new WrongFile('tooLarge');
}
