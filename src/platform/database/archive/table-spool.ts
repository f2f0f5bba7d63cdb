import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const CIPHER = 'aes-256-ctr';
const READ_BYTES = 262_144;

/**
 * A temporary file for the compressed rows of one table after the other: a tar file has the size of a member before
 * its bytes. It loses its name at once, so that a killed process leaves nothing, and is encrypted with a key that only
 * this process has, so that rows of an encrypted archive are on no disk in clear text.
 */
export class TableSpool {
  private readonly key = randomBytes(32);
  private nonce = randomBytes(16);

  private constructor(private readonly file: FileHandle) {}

  static async open(directory: string): Promise<TableSpool> {
    const path = join(directory, `.rcpt-${randomBytes(8).toString('hex')}.partial`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return new TableSpool(file);
  }

  /** Writes a table in the place of the one before. @returns its number of bytes. */
  async write(source: AsyncIterable<Buffer>): Promise<number> {
    await this.file.truncate(0);
    this.nonce = randomBytes(16);
    const cipher = createCipheriv(CIPHER, this.key, this.nonce);
    let position = 0;
    for await (const part of source) {
      const bytes = cipher.update(part);
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await this.file.write(bytes, at, bytes.length - at, position);
        at += bytesWritten;
        position += bytesWritten;
      }
    }
    return position;
  }

  /** What was written. */
  async *read(): AsyncGenerator<Buffer> {
    const decipher = createDecipheriv(CIPHER, this.key, this.nonce);
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await this.file.read(
        Buffer.allocUnsafe(READ_BYTES),
        0,
        READ_BYTES,
        position,
      );
      if (bytesRead === 0) return;
      position += bytesRead;
      yield decipher.update(buffer.subarray(0, bytesRead));
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
