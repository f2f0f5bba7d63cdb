import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/**
 * The text of a token that stands in a link and is good once: a prefix and 32 random bytes in
 * base64url, which needs no escaping. Holding it is the proof.
 */
export class OneTimeToken {
  private readonly shape: RegExp;

  /** @param prefix of letters and underscores: says what it is for, and lets scanners find leaks. */
  constructor(private readonly prefix: string) {
    this.shape = new RegExp(`^${prefix}[\\w-]{43}$`);
  }

  create(): string {
    return this.prefix + randomBytes(RANDOM_BYTES).toString('base64url');
  }

  /** Whether the text could be such a token at all; then it holds nothing but `[A-Za-z0-9_-]`. */
  matches(text: string): boolean {
    return this.shape.test(text);
  }

  /** What is stored: 32 bytes. A plain digest will do, because the token has no dictionary. */
  digest(token: string): Buffer {
    return createHash('sha256').update(token, 'ascii').digest();
  }
}
