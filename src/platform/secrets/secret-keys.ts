import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { SecretUnreadable } from './secrets.errors.js';

interface CipherKey {
  /** Identifies the key in an envelope. Derived from the key, but does not reveal it. */
  id: string;
  key: Buffer;
}

export interface RotatedText {
  /** Unchanged if everything in it is encrypted with the first key. */
  text: string;
  /** False: something in it has a key that is not in `SECRET_KEY`, and stays as it is. */
  isReadable: boolean;
}

/** Nonce and tag have 28 bytes. */
const ENVELOPES = /v1\.[\w-]{8}\.[\w-]{38,}/g;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A private key of Ed25519 in DER (RFC 8410 §7), without its last part: the seed. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Cryptographic operations with keys derived from `SECRET_KEY`. Each purpose has its own key (HKDF, RFC 5869). */
export class SecretKeys {
  /** Private keys of Ed25519; the first one signs. */
  readonly proofKeys: readonly KeyObject[];
  private readonly addressKey: Buffer;
  private readonly cursorKey: Buffer;
  private readonly encryptionKey: CipherKey;
  /** They sign cookies, one for each key of `SECRET_KEY`: the first signs, all verify. */
  readonly cookieKeys: readonly string[];
  private readonly successorKeys: readonly Buffer[];
  private readonly decryptionKeys: ReadonlyMap<string, CipherKey>;

  /** @param encoded keys of 32 bytes in base64. The first one encrypts and hashes, all of them decrypt. */
  constructor(encoded: readonly string[]) {
    const current = encoded[0];
    if (current === undefined) throw new Error('SecretKeys needs at least one key');
    this.addressKey = derive(current, 'address hash');
    this.cursorKey = derive(current, 'cursor');
    this.cookieKeys = encoded.map((key) => derive(key, 'cookie').toString('base64url'));
    this.successorKeys = encoded.map((key) => derive(key, 'token successor'));
    this.encryptionKey = cipherKey(current);
    this.proofKeys = encoded.map((key) => ed25519Key(derive(key, 'proof signature')));
    this.decryptionKeys = new Map(encoded.map(cipherKey).map((key) => [key.id, key]));
  }

  /** The keyed hash (HMAC-SHA-256, 32 bytes) that is stored instead of an address. */
  hashAddress(addressKey: string): Buffer {
    return Buffer.from(this.hashAddressInHex(addressKey), 'hex');
  }

  /** The same in hexadecimal. For the addresses of a list: a string costs less than a buffer. */
  hashAddressInHex(addressKey: string): string {
    return createHmac('sha256', this.addressKey).update(addressKey, 'utf8').digest('hex');
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
   * The tokens that can follow a token, 43 characters of base64url, one for each key of `SECRET_KEY`: the first one is
   * issued. Only who has the key can tell them from the token.
   */
  successorsOf(token: string): readonly string[] {
    return this.successorKeys.map((key) => createHmac('sha256', key).update(token).digest('base64url'));
  }

  /**
   * Encrypts a text into an envelope: `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
   * AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D §8.2.2).
   */
  encrypt(plain: string): string {
    const { id, key } = this.encryptionKey;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${id}.${sealed.toString('base64url')}`;
  }

  /** Whether the envelope was encrypted with the first key. */
  isOfFirstKey(envelope: string): boolean {
    return envelope.startsWith(`v1.${this.encryptionKey.id}.`);
  }

  /** @throws SecretUnreadable if the text is not an envelope, was changed, or its key is not in `SECRET_KEY`. */
  decrypt(envelope: string): string {
    const [, id = '', body = ''] = /^v1\.([\w-]+)\.([\w-]+)$/.exec(envelope) ?? [];
    const key = this.decryptionKeys.get(id);
    if (key === undefined) throw new SecretUnreadable();
    const sealed = Buffer.from(body, 'base64url');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadable('A stored secret is too short.');
    const decipher = createDecipheriv(CIPHER, key.key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadable('A stored secret was changed, so that it cannot be decrypted.');
    }
  }

  /** Decrypts the envelopes in a stored text, which may be JSON. @returns their number; null: one cannot be decrypted, or there is none. */
  countReadable(stored: string): number | null {
    const envelopes = stored.match(ENVELOPES) ?? [];
    try {
      for (const envelope of envelopes) this.decrypt(envelope);
    } catch {
      return null;
    }
    return envelopes.length === 0 ? null : envelopes.length;
  }

  /** Encrypts the envelopes in a stored text, which may be JSON, with the first key. */
  rotated(stored: string): RotatedText {
    let isReadable = true;
    const text = stored.replace(ENVELOPES, (envelope) => {
      if (this.isOfFirstKey(envelope)) return envelope;
      try {
        return this.encrypt(this.decrypt(envelope));
      } catch {
        isReadable = false;
        return envelope;
      }
    });
    return { text, isReadable };
  }
}

function derive(encoded: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encoded, 'base64'), '', `rcpt ${use}`, 32));
}

function ed25519Key(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

function cipherKey(encoded: string): CipherKey {
  return {
    id: derive(encoded, 'encryption key id').subarray(0, 6).toString('base64url'),
    key: derive(encoded, 'encryption'),
  };
}
