import { createHmac, createPublicKey, createVerify, timingSafeEqual, verify } from 'node:crypto';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import { isBearerToken, postalKey } from '../source.js';
import { objectIn, textIn, wordIn, type ProviderRequest } from './provider-events.js';

/** Each function throws EventNotTrusted. */

/**
 * Seconds since 1970. A signed time that stands beside another signed text has no other form, so that no character can
 * be moved from one to the other.
 */
const SECONDS = /^\d{9,11}$/;
/** Of Mailgun. */
const ONCE = /^[\da-f]{50}$/;

/** Of Standard Webhooks, and of the signed times of the others. */
const MAX_AGE_MS = { resend: 5 * 60_000, others: 24 * 3_600_000 };

/** SendGrid: ECDSA with SHA-256 over the time and the body. @param key SPKI in base64. */
export function requireSendgrid({ header, body }: ProviderRequest, key: string, now: Date): void {
  const signature = header('x-twilio-email-event-webhook-signature');
  const time = header('x-twilio-email-event-webhook-timestamp');
  if (signature === undefined || time === undefined) throw new EventNotTrusted('unsigned');
  requireSigned(SECONDS.test(time));
  const isValid = safely(() => {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    const verifier = createVerify('sha256').update(time).update(body);
    return verifier.verify(publicKey, Buffer.from(signature, 'base64'));
  });
  requireSigned(isValid);
  requireRecent(Number(time) * 1_000, now, MAX_AGE_MS.others);
}

/** Mailgun: HMAC-SHA-256 over the time and a token, which are members of the body. @returns the token. */
export function requireMailgun(signed: unknown, key: string, now: Date): string {
  const { timestamp, token, signature } = objectIn(objectIn(signed).signature);
  const time = textIn(typeof timestamp === 'number' ? String(timestamp) : timestamp);
  const [once, digest] = [textIn(token), textIn(signature)];
  if (time === null || once === null || digest === null) throw new EventNotTrusted('unsigned');
  requireSigned(SECONDS.test(time) && ONCE.test(once));
  const expected = createHmac('sha256', key)
    .update(time + once)
    .digest('hex');
  requireSigned(isSame(expected, digest));
  requireRecent(Number(time) * 1_000, now, MAX_AGE_MS.others);
  return once;
}

/** Resend: Standard Webhooks 1.0.0, also with the names of Svix. @param secret `whsec_` and base64. */
export function requireResend({ header, body }: ProviderRequest, secret: string, now: Date): void {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => header(`webhook-${name}`) ?? header(`svix-${name}`),
  );
  if (id === undefined || time === undefined || signatures === undefined)
    throw new EventNotTrusted('unsigned');
  requireSigned(SECONDS.test(time));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  requireSigned(signatures.split(' ').some((signature) => isSame(`v1,${expected}`, signature)));
  requireRecent(Number(time) * 1_000, now, MAX_AGE_MS.resend);
}

/**
 * Postal: RSA (PKCS #1 v1.5) over the body. The signature with SHA-1 counts only if there is none with SHA-256.
 *
 * @param secret the public key of the installation.
 */
export function requirePostal({ header, body }: ProviderRequest, secret: string): void {
  const sha256 = header('x-postal-signature-256');
  const signature = sha256 ?? header('x-postal-signature');
  if (signature === undefined) throw new EventNotTrusted('unsigned');
  const key = postalKey(secret);
  const algorithm = sha256 === undefined ? 'sha1' : 'sha256';
  requireSigned(safely(() => key !== null && verify(algorithm, body, key, Buffer.from(signature, 'base64'))));
}

/** Postal signs the time at which it queued the request, as a member of the body. */
export function requirePostalTime(timestamp: unknown, now: Date): void {
  requireRecent(typeof timestamp === 'number' ? timestamp * 1_000 : NaN, now, MAX_AGE_MS.others);
}

/** More than a form of Mandrill has; sorting costs no more than reading them. */
const MAX_FIELDS = 20;
/** With this key Mandrill signs an empty list, to find out whether a URL exists before the webhook has a key. */
const MANDRILL_TEST_KEY = 'test-webhook';

/**
 * Mandrill: HMAC-SHA-1 over the URL, and over the names and values of the form in the order of the names.
 *
 * @returns the events as JSON.
 */
export function requireMandrill({ header, body, url }: ProviderRequest, key: string): string {
  const signature = header('x-mandrill-signature');
  if (signature === undefined) throw new EventNotTrusted('unsigned');
  const form = new URLSearchParams(body.toString());
  requireSigned(form.size <= MAX_FIELDS);
  form.sort();
  const text = url + [...form].flat().join('');
  const events = form.get('mandrill_events') ?? '';
  const keys = events.trim() === '[]' ? [key, MANDRILL_TEST_KEY] : [key];
  requireSigned(keys.some((one) => isSame(createHmac('sha1', one).update(text).digest('base64'), signature)));
  return events;
}

/** MailerSend, Mailtrap: HMAC-SHA-256 over the body, in hexadecimal digits. */
function isBodySigned(body: Buffer, signature: string, key: string): boolean {
  return isSame(createHmac('sha256', key).update(body).digest('hex'), signature.toLowerCase());
}

export function requireMailtrap({ header, body }: ProviderRequest, key: string): void {
  const signature = header('mailtrap-signature');
  if (signature === undefined) throw new EventNotTrusted('unsigned');
  requireSigned(isBodySigned(body, signature, key));
}

/** MailerSend publishes the key by which it signs `webhook.test`, and saves no webhook whose URL refuses it. */
const MAILERSEND_TEST_KEY = 'test_Am3L1GuOIc4blLUuHqAPxxwkZaJyEk8G';

/** @returns whether the request is a test of MailerSend, which proves nothing about what it contains. */
export function requireMailersend({ header, body }: ProviderRequest, key: string): { isTest: boolean } {
  const signature = header('signature');
  if (signature === undefined) throw new EventNotTrusted('unsigned');
  if (isBodySigned(body, signature, key)) return { isTest: false };
  requireSigned(isBodySigned(body, signature, MAILERSEND_TEST_KEY));
  return { isTest: true };
}

/**
 * Postmark, Brevo, SparkPost, Mailjet: Basic authentication (RFC 7617), where a credential was set; KumoMTA also a
 * bearer token (RFC 6750), which has no colon.
 */
export function requireCredential({ header }: ProviderRequest, credential: string | null): void {
  if (credential === null) return;
  const [scheme = '', value = ''] = (header('authorization') ?? '').split(' ');
  const expected = isBearerToken(credential) ? 'bearer' : 'basic';
  if (scheme.toLowerCase() !== expected) throw new EventNotTrusted('unsigned');
  const given = expected === 'bearer' ? value : Buffer.from(value, 'base64').toString('utf8');
  requireSigned(isSame(credential, given));
}

/** Amazon SNS: the members in the order of their names, each with its name. */
const SIGNED_MEMBERS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const;
export type SnsType = keyof typeof SIGNED_MEMBERS;

export function isSnsType(type: unknown): type is SnsType {
  return type === 'Notification' || type === 'SubscriptionConfirmation';
}

/** By `SignatureVersion`; 1 is the default of a topic. */
const SNS_ALGORITHMS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' };

/** What a message of Amazon SNS is verified with. */
export interface SnsSignature {
  algorithm: string;
  /** The members that are signed, as one text. */
  text: string;
  signature: Buffer;
  certificateUrl: string;
}

/** What is signed, where a message may be genuine; before its certificate is fetched. */
export function snsSignatureOf(message: unknown, type: SnsType, now: Date): SnsSignature {
  const { Signature: signature, SigningCertURL: certificateUrl, ...members } = objectIn(message);
  const algorithm = SNS_ALGORITHMS[wordIn(members.SignatureVersion)];
  if (typeof signature !== 'string' || algorithm === undefined) throw new EventNotTrusted('unsigned');
  const signed = SIGNED_MEMBERS[type].filter((name) => typeof members[name] === 'string');
  // Only the message has lines; another member with lines could take in the one after it.
  requireSigned(signed.every((name) => name === 'Message' || !String(members[name]).includes('\n')));
  if (!isCertificateUrl(certificateUrl)) throw new EventNotTrusted('invalid_signature');
  requireRecent(Date.parse(wordIn(members.Timestamp)), now, MAX_AGE_MS.others);
  const text = signed.map((name) => `${name}\n${String(members[name])}\n`).join('');
  return { algorithm, text, signature: Buffer.from(signature, 'base64'), certificateUrl };
}

/** @param certificate in PEM, from the URL of the signature; null: there is none. */
export function requireSns({ algorithm, text, signature }: SnsSignature, certificate: string | null): void {
  requireSigned(
    safely(() => certificate !== null && createVerify(algorithm).update(text).verify(certificate, signature)),
  );
}

function isCertificateUrl(url: unknown): url is string {
  const found = amazonUrl(url);
  return (
    found !== null &&
    /^\/SimpleNotificationService-[\da-zA-Z]{1,100}\.pem$/.test(found.pathname + found.search)
  );
}

export function isConfirmationUrl(url: unknown): url is string {
  const found = amazonUrl(url);
  return found?.pathname === '/' && found.searchParams.get('Action') === 'ConfirmSubscription';
}

/** The certificates and the confirmation of a subscription are only at `https://sns.<region>.amazonaws.com`. */
function amazonUrl(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.port === '' && url.username === '' && url.password === '' && url.hash === '';
  const isAmazon = /^sns\.[a-z]{2}(-[a-z]{1,12}){1,3}-\d\.amazonaws\.com$/.test(url.hostname);
  return url.protocol === 'https:' && isPlain && isAmazon ? url : null;
}

function requireSigned(isValid: boolean): void {
  if (!isValid) throw new EventNotTrusted('invalid_signature');
}

function requireRecent(timeMs: number, now: Date, maxAgeMs: number): void {
  if (!(Math.abs(now.getTime() - timeMs) <= maxAgeMs)) throw new EventNotTrusted('too_old');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A key or signature that cannot be parsed is not valid. */
function safely(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
