import { RcptError, WebhookVerificationError } from './errors.js';
import type { WebhookEvent } from './types.js';

const TOLERANCE_SECONDS = 300;
/** Further signatures are ignored: a rotation has two. */
const MAX_SIGNATURES = 10;
const PREFIX = 'whsec_';
const BODY_AS_RECEIVED =
  'Pass the body as it was received, as text or bytes (with Express: express.raw()). An object that was parsed has no signature.';

/** Those of `fetch`, or those of Node (`request.headers`). */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Verifies webhooks (Standard Webhooks 1.0.0). */
export class Webhooks {
  readonly #secrets: readonly Uint8Array<ArrayBuffer>[];

  /** @param secrets `whsec_…`; during a rotation the new and the old one. @throws RcptError */
  constructor(secrets: string | readonly string[]) {
    this.#secrets = [secrets].flat().map(bytesOf);
  }

  /**
   * @param body as it was received. A body that was parsed and serialized again has another signature.
   * @returns the event. The `webhook-id` is the same for all its deliveries.
   * @throws WebhookVerificationError also for other arguments, with a message that says what to pass.
   */
  async verify(headers: WebhookHeaders, body: string | Uint8Array): Promise<WebhookEvent> {
    if (this.#secrets.length === 0)
      throw new RcptError('Set webhookSecrets or RCPT_WEBHOOK_SECRET to the secret of the webhook.');
    const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      valueOf(headers, name),
    );
    if (id === null || id === undefined || !timestamp || !given)
      throw new WebhookVerificationError(
        'A header is missing: webhook-id, -timestamp or -signature. Pass the headers of the request.',
      );
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : NaN;
    // The comparison is false for NaN.
    if (!(Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_SECONDS))
      throw new WebhookVerificationError('The timestamp is not within five minutes of now.');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    if (!((bytes as unknown) instanceof Uint8Array)) throw new WebhookVerificationError(BODY_AS_RECEIVED);
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    if (!(await this.#isSigned(signed, given)))
      throw new WebhookVerificationError('No signature is valid for this body and secret.');
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    } catch {
      throw new WebhookVerificationError('The body is not JSON.');
    }
  }

  async #isSigned(signed: Uint8Array<ArrayBuffer>, header: string): Promise<boolean> {
    const versioned = header.split(' ', MAX_SIGNATURES).filter((each) => each.startsWith('v1,'));
    const signatures = versioned.flatMap((each) => fromBase64(each.slice('v1,'.length)) ?? []);
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    for (const secret of this.#secrets) {
      const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
      // `verify` compares in constant time.
      for (const signature of signatures)
        if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
    return false;
  }
}

/** @returns null for a value that is none, also where the headers are none. */
function valueOf(headers: WebhookHeaders, name: string): string | null {
  // Also those of another realm or library.
  if (typeof (headers as Headers | null)?.get === 'function') return (headers as Headers).get(name);
  const value = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1] as unknown;
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(' ') : null;
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.trim();
  const bytes = fromBase64(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
  // The message does not repeat it.
  if (bytes === null || bytes.length === 0)
    throw new RcptError('A webhook secret is `whsec_` and base64; this one is not.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
