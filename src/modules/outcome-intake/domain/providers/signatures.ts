import { createHmac, createPublicKey, createVerify, timingSafeEqual } from 'node:crypto';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import { objectIn, textIn, type ProviderRequest } from './provider-events.js';

/** Each function throws EventNotTrusted. */

/** Of Standard Webhooks, and of the signed times of the others. */
const MAX_AGE_MS = { resend: 5 * 60_000, others: 24 * 3_600_000 };

/** SendGrid: ECDSA with SHA-256 over the time and the body. @param key SPKI in base64. */
export function requireSendgrid({ header, body }: ProviderRequest, key: string, now: Date): void {
  const signature = header('x-twilio-email-event-webhook-signature');
  const time = header('x-twilio-email-event-webhook-timestamp');
  if (signature === undefined || time === undefined) throw new EventNotTrusted('unsigned');
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

/** @param certificate in PEM, from one of Amazon's hosts. */
export function requireSns(message: unknown, type: SnsType, certificate: string, now: Date): void {
  const members = objectIn(message);
  const signature = members.Signature;
  const algorithm = SNS_ALGORITHMS[String(members.SignatureVersion)];
  if (typeof signature !== 'string' || algorithm === undefined) throw new EventNotTrusted('unsigned');
  const text = SIGNED_MEMBERS[type]
    .filter((name) => typeof members[name] === 'string')
    .map((name) => `${name}\n${String(members[name])}\n`)
    .join('');
  const isValid = safely(() =>
    createVerify(algorithm).update(text).verify(certificate, Buffer.from(signature, 'base64')),
  );
  requireSigned(isValid);
  requireRecent(Date.parse(String(members.Timestamp)), now, MAX_AGE_MS.others);
}

/** The certificate and the confirmation of a subscription are only at `https://sns.<region>.amazonaws.com`. */
export function isAmazonUrl(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  const isPlain = port === '' && username === '' && password === '';
  return (
    protocol === 'https:' && isPlain && /^sns\.[a-z]{2}(-[a-z]{1,12}){1,3}-\d\.amazonaws\.com$/.test(hostname)
  );
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
