import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidRequest } from '../../../../../kernel/errors.js';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import type { ProviderRequest } from './provider-events.js';
import type { ProvenEvents, Proof } from './provider.js';
import { isBearerToken } from './secrets.js';

/**
 * Seconds since 1970. A signed time that stands beside another signed text has no other form, so that no character can
 * be moved from one to the other.
 */
export const SECONDS = /^\d{9,11}$/;

/** Of signed times. */

/** The value of a header that has a signature. @throws EventNotTrusted */
export function signedHeader({ header }: ProviderRequest, ...names: readonly string[]): string {
  const value = names.map((name) => header(name)).find((given) => given !== undefined);
  if (value === undefined) throw new EventNotTrusted('unsigned');
  return value;
}

/** @throws EventNotTrusted */
export function requireSigned(isValid: boolean): void {
  if (!isValid) throw new EventNotTrusted('invalid_signature');
}

/** @throws EventNotTrusted */
export function requireRecent(timeMs: number, now: Date, maxAgeMs: number): void {
  if (!(Math.abs(now.getTime() - timeMs) <= maxAgeMs)) throw new EventNotTrusted('too_old');
}

export function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `Buffer.from` skips what is no base64: other texts would stand for the same signature. @throws EventNotTrusted */
export function signatureBytes(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  requireSigned(bytes.toString('base64') === base64);
  return bytes;
}

/** HMAC-SHA-256 over the body, in hexadecimal digits. */
export function isBodySigned(body: Buffer, signature: string, key: string): boolean {
  return isSame(createHmac('sha256', key).update(body).digest('hex'), signature.toLowerCase());
}

/** A key or signature that cannot be parsed is not valid. */
export function safely(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

/**
 * The events of a provider that sends a credential instead of a signature: Basic authentication (RFC 7617), where one
 * was set, or a bearer token (RFC 6750), which has no colon.
 *
 * @throws EventNotTrusted, InvalidRequest
 */
export function verifyCredential({ header, body }: ProviderRequest, { secret }: Proof): ProvenEvents {
  if (secret !== null) {
    const [scheme = '', value = '', ...more] = (header('authorization') ?? '').split(' ');
    const expected = isBearerToken(secret) ? 'bearer' : 'basic';
    if (scheme.toLowerCase() !== expected) throw new EventNotTrusted('unsigned');
    const given = expected === 'bearer' ? value : signatureBytes(value).toString('utf8');
    requireSigned(more.length === 0 && isSame(secret, given));
  }
  return { body: jsonOf(body) };
}

/** @throws InvalidRequest */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidRequest([{ pointer: '', code: 'invalid_format', message: 'Send JSON in UTF-8.' }]);
  }
}
