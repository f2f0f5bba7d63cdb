import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { ArchiveRejected } from './archive-rejected.js';

/**
 * The first line of an archive says how its chunks are sealed. Each chunk is bound to this line, to its number and to
 * whether it is the last one (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár), so that no chunk
 * can be changed, moved, repeated or left out without being noticed.
 */
export interface ChunkSeal {
  readonly header: Buffer;
  readonly isEncrypted: boolean;
  /** Bytes that a sealed chunk has more. */
  readonly overhead: number;
  seal(chunk: Buffer, position: ChunkPosition): Buffer;
  /** @returns null: the chunk was changed, or the passphrase is another one. */
  open(sealed: Buffer, position: ChunkPosition): Buffer | null;
}

export interface ChunkPosition {
  number: number;
  isLast: boolean;
}

const MAGIC = 'rcpt-backup';
const FORMAT = 1;
export const MAX_HEADER_BYTES = 100;

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** 128 MB and about 0.3 s, as OWASP recommends. They belong to the format. */
const SCRYPT: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** @param passphrase null: the archive is not encrypted. */
export async function newSeal(passphrase: string | null): Promise<ChunkSeal> {
  if (passphrase === null) return digestSeal(headerOf('plain'));
  const salt = randomBytes(SALT_BYTES);
  return cipherSeal(headerOf(`scrypt ${salt.toString('base64url')}`), passphrase, salt);
}

/**
 * @param header the first line, without its end.
 * @param passphrase asked for when the archive is encrypted.
 * @throws ArchiveRejected
 */
export async function sealOf(header: string, passphrase: () => Promise<string>): Promise<ChunkSeal> {
  const [magic, format = '', method, salt = '', ...more] = header.split(' ');
  if (magic !== MAGIC || !/^[1-9]\d{0,5}$/.test(format)) throw notAnArchive();
  if (Number(format) > FORMAT)
    throw new ArchiveRejected(
      'newer_format',
      `The archive has format ${format}, and this version of Rcpt reads format ${FORMAT}: install the version that made it.`,
    );
  const line = Buffer.from(`${header}\n`);
  if (method === 'plain' && salt === '') return digestSeal(line);
  const bytes = Buffer.from(salt, 'base64url');
  if (method !== 'scrypt' || bytes.length !== SALT_BYTES || more.length > 0) throw notAnArchive();
  return cipherSeal(line, await passphrase(), bytes);
}

export function notAnArchive(): ArchiveRejected {
  return new ArchiveRejected(
    'not_an_archive',
    'This is not an archive of `rcpt backup`, or its start is damaged.',
  );
}

function headerOf(method: string): Buffer {
  return Buffer.from(`${MAGIC} ${FORMAT} ${method}\n`);
}

/** Against accidents only: whoever can write the archive can replace it. */
function digestSeal(header: Buffer): ChunkSeal {
  const digest = (chunk: Buffer, position: ChunkPosition) =>
    createHash('sha256').update(header).update(nonceOf(position)).update(chunk).digest();
  const overhead = 32;
  return {
    header,
    isEncrypted: false,
    overhead,
    seal: (chunk, position) => Buffer.concat([chunk, digest(chunk, position)]),
    open: (sealed, position) => {
      if (sealed.length < overhead) return null;
      const chunk = sealed.subarray(0, -overhead);
      return timingSafeEqual(digest(chunk, position), sealed.subarray(-overhead)) ? chunk : null;
    },
  };
}

/** The key is derived from a new salt for each archive, so that the numbers of chunks are nonces. */
async function cipherSeal(header: Buffer, passphrase: string, salt: Buffer): Promise<ChunkSeal> {
  const key = await derive(passphrase, salt);
  return {
    header,
    isEncrypted: true,
    overhead: TAG_BYTES,
    seal: (chunk, position) => {
      const cipher = createCipheriv(CIPHER, key, nonceOf(position)).setAAD(header);
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, position) => {
      if (sealed.length < TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key, nonceOf(position), { authTagLength: TAG_BYTES });
      decipher.setAAD(header).setAuthTag(sealed.subarray(-TAG_BYTES));
      const chunk = decipher.update(sealed.subarray(0, -TAG_BYTES));
      try {
        return Buffer.concat([chunk, decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/** 96 bits (NIST SP 800-38D §8.2.1): the number of the chunk, and whether it is the last one. */
function nonceOf({ number, isLast }: ChunkPosition): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
