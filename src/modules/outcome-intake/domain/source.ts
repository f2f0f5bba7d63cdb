import { createPublicKey, type KeyObject } from 'node:crypto';
import { newId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';

/** Providers whose events are understood. */
export const SOURCE_KINDS = [
  'ses',
  'sendgrid',
  'postmark',
  'mailgun',
  'resend',
  'brevo',
  'sparkpost',
  'postal',
  'mailjet',
  'mandrill',
  'mailersend',
  'mailtrap',
  'kumomta',
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A provider that sends the events of a team's mails. */
export class OutcomeSource {
  readonly id: string = newId('src');

  constructor(
    readonly teamId: TeamId,
    readonly kind: SourceKind,
    /** SHA-256 of the token in the URL. */
    readonly tokenDigest: Buffer,
    /** Encrypted; null: the provider signs with none. */
    readonly secret: string | null,
    readonly createdAt: Date,
  ) {}
}

const required = (what: string, isValid: (secret: string) => boolean) => (secret: string | null) => {
  if (secret === null) return `Send ${what} as secret.`;
  return isValid(secret)
    ? null
    : `The secret has not the form of ${what}. Copy it unchanged from the provider.`;
};
const credential = (secret: string | null) =>
  secret === null || /^[^:]+:.+$/s.test(secret) ? null : 'Send user:password as secret, or none.';

/** Of a signature with a shared key: one word. */
function isSigningKey(key: string): boolean {
  return key.length >= 8 && key.length <= 200 && !/\s/.test(key);
}

/** RFC 6750. */
export function isBearerToken(secret: string): boolean {
  return /^[A-Za-z0-9._~+/-]{16,}=*$/.test(secret);
}

/** Verifying a signature with a longer key or exponent costs more than reading its body. */
const RSA_BITS = { min: 1_024, max: 4_096 };
const MAX_RSA_EXPONENT = 2n ** 32n;

/** The key of an installation of Postal. @returns null: the text is none. */
export function postalKey(text: string): KeyObject | null {
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

/** What is wrong with the secret of a source; null: nothing. */
export const SECRET_ERRORS: Readonly<Record<SourceKind, (secret: string | null) => string | null>> = {
  ses: (secret) => (secret === null ? null : 'Amazon signs with a certificate. Send no secret.'),
  sendgrid: required('the verification key of the signed event webhook', (key) => {
    return key.length >= 80 && key.length <= 400 && /^[A-Za-z0-9+/=]+$/.test(key);
  }),
  mailgun: required('the HTTP webhook signing key', (key) => key.length >= 8),
  resend: required('the signing secret (whsec_…)', (key) => /^whsec_[A-Za-z0-9+/=]{16,200}$/.test(key)),
  postmark: credential,
  brevo: credential,
  sparkpost: credential,
  postal: required('the public key of Postal (PEM, or the base64 after p= in its DKIM record)', (key) => {
    return postalKey(key) !== null;
  }),
  mailjet: credential,
  mandrill: required('the key of the webhook', isSigningKey),
  mailersend: required('the signing secret of the webhook', isSigningKey),
  mailtrap: required('the signing secret of the webhook', isSigningKey),
  kumomta: (secret) =>
    secret === null || isBearerToken(secret) || credential(secret) === null
      ? null
      : 'Send user:password, or a bearer token of 16 characters or more from A–Z a–z 0–9 . _ ~ + / -, as secret, or none.',
};
