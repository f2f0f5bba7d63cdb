import { createHmac, hash } from 'node:crypto';

const ALGORITHM = 'sha256';
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longer texts are hashed by `createHmac`. UTF-8 has at most three bytes for a UTF-16 unit. */
const MAX_TEXT_LENGTH = 1_024;
const MAX_BYTES_PER_UNIT = 3;

/**
 * HMAC-SHA-256 of many short texts with one key. `createHmac` allocates a native object for each text, which
 * takes half of its time; here each hash is one call (RFC 2104 §2: H(K ⊕ opad, H(K ⊕ ipad, text))).
 */
export class KeyedHash {
  /** K ⊕ ipad, and room for a text. */
  private readonly inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_LENGTH * MAX_BYTES_PER_UNIT, 0x36);
  /** K ⊕ opad, and room for the inner hash. */
  private readonly outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);

  /** @param key at most 64 bytes. */
  constructor(private readonly key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new Error(`A key of KeyedHash has at most ${BLOCK_BYTES} bytes`);
    for (const [at, byte] of key.entries()) {
      this.inner[at] = byte ^ 0x36;
      this.outer[at] = byte ^ 0x5c;
    }
  }

  /** @returns 64 hexadecimal digits. */
  hex(text: string): string {
    if (text.length > MAX_TEXT_LENGTH)
      return createHmac(ALGORITHM, this.key).update(text, 'utf8').digest('hex');
    const length = this.inner.write(text, BLOCK_BYTES, 'utf8');
    this.outer.write(hash(ALGORITHM, this.inner.subarray(0, BLOCK_BYTES + length)), BLOCK_BYTES, 'hex');
    return hash(ALGORITHM, this.outer);
  }
}
