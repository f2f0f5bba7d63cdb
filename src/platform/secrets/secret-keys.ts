import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

interface CipherKey {
  /** Says in an envelope which key it was closed with; tells nothing about the key. */
  id: string;
  key: Buffer;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What is derived from `SECRET_KEY`. Each use has a key of its own (HKDF,
 * RFC 5869), so that none can stand in for another.
 */
export class SecretKeys {
  /** Prepared once: a remembered verdict takes one hash. */
  private readonly addressKey: KeyObject;
  private readonly cursorKey: Buffer;
  private readonly encryptionKey: CipherKey;
  private readonly decryptionKeys: ReadonlyMap<string, CipherKey>;

  /** @param encoded base64 of 32 bytes each; the first is the one in use, all can decrypt. */
  constructor(encoded: readonly string[]) {
    const current = encoded[0];
    if (current === undefined) throw new Error('SecretKeys needs at least one key');
    this.addressKey = createSecretKey(derive(current, 'address hash'));
    this.cursorKey = derive(current, 'cursor');
    this.encryptionKey = cipherKey(current);
    this.decryptionKeys = new Map(encoded.map(cipherKey).map((each) => [each.id, each]));
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

  /**
   * Closes a text into an envelope: `v1.<id of the key>.<base64url of nonce, ciphertext and tag>`.
   * AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D §8.2.2), so no two envelopes are alike.
   */
  encrypt(plain: string): string {
    const { id, key } = this.encryptionKey;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${id}.${sealed.toString('base64url')}`;
  }

  /** @throws when it is no envelope, was changed, or its key is no longer listed in `SECRET_KEY`. */
  decrypt(envelope: string): string {
    const [, id = '', body = ''] = /^v1\.([\w-]+)\.([\w-]+)$/.exec(envelope) ?? [];
    const known = this.decryptionKeys.get(id);
    if (known === undefined) throw new Error('SECRET_KEY lists no key for this envelope');
    const sealed = Buffer.from(body, 'base64url');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('The envelope is too short');
    const decipher = createDecipheriv(CIPHER, known.key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}

function derive(encoded: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encoded, 'base64'), '', `rcpt ${use}`, 32));
}

function cipherKey(encoded: string): CipherKey {
  return {
    id: derive(encoded, 'encryption key id').subarray(0, 6).toString('base64url'),
    key: derive(encoded, 'encryption'),
  };
}
