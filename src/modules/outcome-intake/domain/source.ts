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
};
