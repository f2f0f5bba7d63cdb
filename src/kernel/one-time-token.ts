import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/**
 * A bearer token for a link that can be used once: a prefix and 32 random bytes in base64url, which
 * needs no escaping in a URL.
 */
export class OneTimeToken {
  /** Of the whole token. */
  readonly format: RegExp;

  /** @param prefix letters and underscores: names the purpose, and lets secret scanners detect leaks. */
  constructor(private readonly prefix: string) {
    this.format = new RegExp(`^${prefix}[\\w-]{43}$`);
  }

  create(): string {
    return this.prefix + randomBytes(RANDOM_BYTES).toString('base64url');
  }

  /** Whether the text has the format of a token. If so, it contains only `[A-Za-z0-9_-]`. */
  matches(text: string): boolean {
    return this.format.test(text);
  }

  /** The 32-byte digest that is stored. Unsalted SHA-256 is sufficient for 32 random bytes. */
  digest(token: string): Buffer {
    return createHash('sha256').update(token, 'ascii').digest();
  }
}
