import { createPublicKey, type KeyObject } from 'node:crypto';

/** What is wrong with a secret; null: nothing. */
export type SecretError = (secret: string | null) => string | null;

export function required(what: string, isValid: (secret: string) => boolean): SecretError {
  return (secret) => {
    if (secret === null) return `Send ${what} as secret.`;
    return isValid(secret)
      ? null
      : `The secret has not the form of ${what}. Copy it unchanged from the provider.`;
  };
}

/** Of Basic authentication (RFC 7617). */
export function credentialError(secret: string | null): string | null {
  return secret === null || /^[^:]+:.+$/s.test(secret) ? null : 'Send user:password as secret, or none.';
}

/** Of a signature with a shared key: one word. */
export function isSigningKey(key: string): boolean {
  return key.length >= 8 && key.length <= 200 && !/\s/.test(key);
}

/** RFC 6750. */
export function isBearerToken(secret: string): boolean {
  return /^[A-Za-z0-9._~+/-]{16,}=*$/.test(secret);
}

/** Verifying a signature with a longer key or exponent costs more than reading its body. */
const RSA_BITS = { min: 1_024, max: 4_096 };
const MAX_RSA_EXPONENT = 2n ** 32n;

/** A public key of RSA in PEM or base64. @returns null: the text is none. */
export function rsaKey(text: string): KeyObject | null {
  try {
    // A field of a form takes the lines of a PEM as one.
    const base64 = text.replace(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, '');
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    const { modulusLength: bits = 0, publicExponent: exponent = 0n } = key.asymmetricKeyDetails ?? {};
    const isBounded = bits >= RSA_BITS.min && bits <= RSA_BITS.max && exponent <= MAX_RSA_EXPONENT;
    return key.asymmetricKeyType === 'rsa' && isBounded ? key : null;
  } catch {
    return null;
  }
}
