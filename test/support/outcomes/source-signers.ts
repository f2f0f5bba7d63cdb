import { createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { generate } from 'selfsigned';
import type { SourceKind } from '../../../src/modules/outcome-intake/domain/source.js';

/** Signs events as their providers do. */

export const NOW = '2026-11-20T12:00:00Z';
export const SECONDS = String(Date.parse(NOW) / 1_000);
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const amazon = await generate([{ name: 'commonName', value: 'sns.amazonaws.com' }], {
  keyType: 'rsa',
});
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
};
export interface Signed {
  body: string;
  headers: Record<string, string>;
}
type Sign = (event: unknown, time?: string) => Signed;

/** @param version and algorithm of the signature. */
export const snsMessage = (members: Record<string, string>, version = '2', algorithm = 'sha256'): Signed => {
  const text = Object.keys(members)
    .sort()
    .map((name) => `${name}\n${members[name]}\n`)
    .join('');
  const Signature = createSign(algorithm).update(text).sign(amazon.private, 'base64');
  const signed = { ...members, SignatureVersion: version, SigningCertURL: CERTIFICATE_URL, Signature };
  return { body: JSON.stringify(signed), headers: { 'Content-Type': 'text/plain; charset=UTF-8' } };
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
};
