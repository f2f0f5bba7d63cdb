import { createHmac, createSign, generateKeyPairSync, randomBytes, sign as signed } from 'node:crypto';
import type { SourceKind } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { selfSigned } from '../tls/self-signed.js';

/** Signs events as their providers do. */

export const NOW = '2026-11-20T12:00:00Z';
export const SECONDS = String(Date.parse(NOW) / 1_000);
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const postalKeys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const amazon = await selfSigned('sns.amazonaws.com', 'rsa');
export const CERTIFICATE_URL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
export const CONFIRM_URL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
export const RESEND = `whsec_${randomBytes(24).toString('base64')}`;

export const SECRETS: Readonly<Record<SourceKind, string | null>> = {
  ses: null,
  sendgrid: ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  mailgun: 'key-3ax6xnjp29jd6fds4gc373sgvjxteol0',
  resend: RESEND,
  postmark: 'hook:s3cret',
  brevo: 'hook:s3cret',
  sparkpost: null,
  postal: postalKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  mailjet: 'hook:s3cret',
  mandrill: 'vq2lYvTSF0X0aTuNbVgUbw',
  mailersend: 'pRzWhOTCK0yXQsWLwxVq2nUZWx7eW0aD',
  mailtrap: '8d723895af9ac0d81d5d19a4cc4d1b51',
  kumomta: 'a-bearer-token-of-the-hook',
};
export interface Signed {
  body: string;
  headers: Record<string, string>;
}
type Sign = (event: unknown, time?: string, url?: string) => Signed;

/** @param version and algorithm of the signature. */
export const snsMessage = (members: Record<string, string>, version = '2', algorithm = 'sha256'): Signed => {
  const text = Object.keys(members)
    .sort()
    .map((name) => `${name}\n${members[name]}\n`)
    .join('');
  const Signature = createSign(algorithm).update(text).sign(amazon.key, 'base64');
  const signed = { ...members, SignatureVersion: version, SigningCertURL: CERTIFICATE_URL, Signature };
  return { body: JSON.stringify(signed), headers: { 'Content-Type': 'text/plain; charset=UTF-8' } };
};
export const hex = (key: string | null, body: string): string =>
  createHmac('sha256', key ?? '')
    .update(body)
    .digest('hex');
/** @param fields of the form, in the order in which they are sent. */
export const mandrillForm = (
  fields: Record<string, string>,
  url: string,
  key = SECRETS.mandrill ?? '',
): Signed => {
  const names = Object.keys(fields).sort();
  const text = url + names.map((name) => `${name}${fields[name]}`).join('');
  return {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      'X-Mandrill-Signature': createHmac('sha1', key).update(text).digest('base64'),
    },
  };
};
const basic: Sign = (event) => ({
  body: JSON.stringify(event),
  headers: { Authorization: `Basic ${Buffer.from('hook:s3cret').toString('base64')}` },
});
export const SIGNERS: Readonly<Record<SourceKind, Sign>> = {
  ses: (event, time = NOW) =>
    snsMessage({
      Type: 'Notification',
      MessageId: randomBytes(8).toString('hex'),
      TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
      Message: JSON.stringify(event),
      Timestamp: time,
    }),
  sendgrid: (event, time = SECONDS) => {
    const body = JSON.stringify(event);
    const signature = createSign('sha256')
      .update(time + body)
      .sign(ec.privateKey, 'base64');
    return {
      body,
      headers: {
        'X-Twilio-Email-Event-Webhook-Signature': signature,
        'X-Twilio-Email-Event-Webhook-Timestamp': time,
      },
    };
  },
  mailgun: (event, timestamp = SECONDS) => {
    const token = randomBytes(25).toString('hex');
    const signature = createHmac('sha256', SECRETS.mailgun ?? '')
      .update(timestamp + token)
      .digest('hex');
    return {
      body: JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event }),
      headers: {},
    };
  },
  resend: (event, time = SECONDS) => {
    const body = JSON.stringify(event);
    const key = Buffer.from(RESEND.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
    return {
      body,
      headers: { 'svix-id': 'msg_1', 'svix-timestamp': time, 'svix-signature': `v1,old v1,${digest}` },
    };
  },
  postmark: basic,
  brevo: basic,
  sparkpost: (event) => ({ body: JSON.stringify(event), headers: {} }),
  postal: (event, time = SECONDS) => {
    const body = JSON.stringify({ ...(event as object), timestamp: Number(time) + 0.5 });
    const signature = (algorithm: string) =>
      signed(algorithm, Buffer.from(body), postalKeys.privateKey).toString('base64');
    return {
      body,
      headers: {
        'X-Postal-Signature': signature('sha1'),
        'X-Postal-Signature-256': signature('sha256'),
        'X-Postal-Signature-KID': 'a'.repeat(64),
      },
    };
  },
  mailjet: basic,
  mandrill: (event, _, url = '') => mandrillForm({ mandrill_events: JSON.stringify(event) }, url),
  mailersend: (event) => {
    // Slashes are escaped.
    const body = JSON.stringify(event).replaceAll('/', '\\/');
    return { body, headers: { Signature: hex(SECRETS.mailersend, body) } };
  },
  mailtrap: (event) => {
    const body = JSON.stringify(event);
    return { body, headers: { 'Mailtrap-Signature': hex(SECRETS.mailtrap, body) } };
  },
  kumomta: (event) => ({
    body: JSON.stringify(event),
    headers: { Authorization: `Bearer ${SECRETS.kumomta ?? ''}` },
  }),
};
