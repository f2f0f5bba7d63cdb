import { createVerify } from 'node:crypto';
import { EventNotTrusted } from '../outcome-intake.errors.js';
import type { SnsSignature } from './provider.js';
import { objectIn, wordIn } from './provider-events.js';
import { requireRecent, requireSigned, safely, signatureBytes } from './signature-checks.js';
import { parsedUrl } from '../../../../../kernel/text/parsed-url.js';
import { DAY_MS } from '../../../../../kernel/durations.js';

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

/** What is signed, where a message may be genuine; before its certificate is fetched. @throws EventNotTrusted */
export function snsSignatureOf(message: unknown, type: SnsType, now: Date): SnsSignature {
  const { Signature: signature, SigningCertURL: certificateUrl, ...members } = objectIn(message);
  const algorithm = SNS_ALGORITHMS[wordIn(members.SignatureVersion)];
  if (typeof signature !== 'string' || algorithm === undefined) throw new EventNotTrusted('unsigned');
  const signed = SIGNED_MEMBERS[type].filter((name) => typeof members[name] === 'string');
  // Only the message has lines; another member with lines could take in the one after it.
  requireSigned(signed.every((name) => name === 'Message' || !String(members[name]).includes('\n')));
  if (!isCertificateUrl(certificateUrl)) throw new EventNotTrusted('invalid_signature');
  requireRecent(Date.parse(wordIn(members.Timestamp)), now, DAY_MS);
  const text = signed.map((name) => `${name}\n${String(members[name])}\n`).join('');
  return { algorithm, text, signature: signatureBytes(signature), certificateUrl };
}

/** @param certificate in PEM, from the URL of the signature; null: there is none. @throws EventNotTrusted */
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
  if (typeof text !== 'string' || parsedUrl(text) === null) return null;
  const url = new URL(text);
  const isPlain = url.port === '' && url.username === '' && url.password === '' && url.hash === '';
  const isAmazon = /^sns\.[a-z]{2}(-[a-z]{1,12}){1,3}-\d\.amazonaws\.com$/.test(url.hostname);
  return url.protocol === 'https:' && isPlain && isAmazon ? url : null;
}
