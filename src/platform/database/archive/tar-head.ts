/**
 * Heads of tar members (POSIX.1-2017, pax, "ustar Interchange Format"). The packer of modern-tar wants the bytes of a
 * member as they are; here they are compressed before their number is known.
 */

const BLOCK = 512;
/** Eleven octal digits. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1;
/** Of the user only: the archive has the addresses of lists. */
const MODE = 0o600;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;

/** Two blocks of zeros. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * The head of a regular file.
 *
 * @param name ASCII, at most 100 characters.
 * @param size from eight gigabytes on it is written in base 256, as GNU tar, bsdtar, BusyBox and Python do.
 */
export function tarHead(name: string, size: number, modified: Date): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    head.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  head.write(name, 0, 100, 'latin1');
  octal(MODE, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  if (size <= MAX_OCTAL_SIZE) octal(size, SIZE_AT, 11);
  else {
    head.writeUInt8(0x80, SIZE_AT);
    head.writeBigUInt64BE(BigInt(size), SIZE_AT + 4);
  }
  octal(Math.floor(modified.getTime() / 1_000), 136, 11);
  head.fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  head.write('0', 156);
  head.write('ustar\u000000', 257, 'latin1');
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    CHECKSUM_AT,
    6,
  );
  head.writeUInt8(0, CHECKSUM_AT + 6);
  return head;
}

/** What fills the last block of a member. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(paddedSize(size) - size);
}

export function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
