import { createHmac, hkdfSync } from 'node:crypto';

/**
 * What is derived from `SECRET_KEY`. Each use has a key of its own (HKDF,
 * RFC 5869), so that none can stand in for another.
 */
export class SecretKeys {
  private readonly addressKey: Buffer;

  /** @param encoded base64 of 32 bytes each; the first is the one in use. */
  constructor(encoded: readonly string[]) {
    const current = encoded[0];
    if (current === undefined) throw new Error('SecretKeys needs at least one key');
    this.addressKey = derive(current, 'address hash');
  }

  /** The keyed hash that stands for an address wherever the address itself must not: 32 bytes. */
  hashAddress(addressKey: string): Buffer {
    return createHmac('sha256', this.addressKey).update(addressKey, 'utf8').digest();
  }
}

function derive(encoded: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encoded, 'base64'), '', `rcpt ${use}`, 32));
}
