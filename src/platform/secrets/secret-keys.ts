import { createHmac, hkdfSync } from 'node:crypto';

/**
 * What is derived from `SECRET_KEY`. Each use has a key of its own (HKDF,
 * RFC 5869), so that none can stand in for another.
 */
export class SecretKeys {
  private readonly addressKey: Buffer;
  private readonly cursorKey: Buffer;

  /** @param encoded base64 of 32 bytes each; the first is the one in use. */
  constructor(encoded: readonly string[]) {
    const current = encoded[0];
    if (current === undefined) throw new Error('SecretKeys needs at least one key');
    this.addressKey = derive(current, 'address hash');
    this.cursorKey = derive(current, 'cursor');
  }

  /** The keyed hash that stands for an address wherever the address itself must not: 32 bytes. */
  hashAddress(addressKey: string): Buffer {
    return createHmac('sha256', this.addressKey).update(addressKey, 'utf8').digest();
  }

  /** The MAC of a cursor, 22 characters of base64url (128 bits). */
  signCursor(text: string): string {
    return createHmac('sha256', this.cursorKey)
      .update(text, 'utf8')
      .digest()
      .subarray(0, 16)
      .toString('base64url');
  }
}

function derive(encoded: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encoded, 'base64'), '', `rcpt ${use}`, 32));
}
