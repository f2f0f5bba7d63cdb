import { createHmac, randomBytes } from 'node:crypto';

/** How long the old secret signs in addition to the new one. */
const OVERLAP_MS = 24 * 3_600_000;
/** Maximum number of secrets: each lengthens the header of every delivery. */
const MAX_SECRETS = 10;

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SigningSecret {
  /** `whsec_` and base64 of 32 bytes. */
  readonly text: string;
  /** When it stops signing; null: the newest secret. */
  readonly until: Date | null;
}

export function newSecret(): SigningSecret {
  return { text: PREFIX + randomBytes(SECRET_BYTES).toString('base64'), until: null };
}

/** The new one first, then those that still sign. */
export function rotated(secrets: readonly SigningSecret[], fresh: SigningSecret, now: Date): SigningSecret[] {
  const end = new Date(now.getTime() + OVERLAP_MS);
  const old = signing(secrets, now).map(({ text, until }) => ({ text, until: until ?? end }));
  return [fresh, ...old].slice(0, MAX_SECRETS);
}

export function signing(secrets: readonly SigningSecret[], now: Date): SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

/**
 * The headers of Standard Webhooks 1.0.0.
 *
 * @param id the same at every attempt: receivers detect duplicates by it.
 * @param now the time of this attempt: receivers reject old timestamps.
 */
export function signedHeaders(
  id: string,
  now: Date,
  body: string,
  secrets: readonly SigningSecret[],
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = signing(secrets, now).map(({ text }) => {
    const key = Buffer.from(text.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
