import { createHmac, createPublicKey, createVerify, timingSafeEqual } from 'node:crypto';
import { EventNotTrusted } from '../outcome-intake.errors.js';
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

/** Postmark, Brevo, SparkPost: Basic authentication (RFC 7617), where a credential was set. */
export function requireCredential({ header }: ProviderRequest, credential: string | null): void {
  if (credential === null) return;
  const [scheme = '', value = ''] = (header('authorization') ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') throw new EventNotTrusted('unsigned');
  requireSigned(isSame(Buffer.from(value, 'base64').toString('utf8'), credential));
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
