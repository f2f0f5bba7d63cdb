import { describe, expect, it } from '@jest/globals';
import type { ProviderRequest } from '../../../src/modules/events/outcome-intake/domain/providers/provider-events.js';
import { resend } from '../../../src/modules/events/outcome-intake/domain/providers/resend.js';
import { sendgrid } from '../../../src/modules/events/outcome-intake/domain/providers/sendgrid.js';

const requestOf = (headers: Record<string, string>, body: string): ProviderRequest => ({
  header: (name: string) => headers[name],
  body: Buffer.from(body),
  url: '',
});

/** The test data of SendGrid's own clients (packages sendgrid-nodejs, sendgrid-go and sendgrid-python). */
const SENDGRID = {
  key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
  signature:
    'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
  time: '1600112502',
  // It ends with CRLF, which is signed.
  body: `${JSON.stringify([
    {
      email: 'hello@world.com',
      event: 'dropped',
      reason: 'Bounced Address',
      sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
      sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
      'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
      timestamp: 1600112492,
    },
  ])}\r\n`,
};

/** The test data of Svix and of Standard Webhooks, whose signatures Resend has. */
const SVIX = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('a signature that was published', () => {
  it('of SendGrid is valid for its body, and for no other', () => {
    const { key, signature, time, body } = SENDGRID;
    const headers = {
      'x-twilio-email-event-webhook-signature': signature,
      'x-twilio-email-event-webhook-timestamp': time,
    };
    const now = new Date(Number(time) * 1_000);
    const verify = (text: string) => sendgrid.verify(requestOf(headers, text), { secret: key, now });
    expect(() => verify(body)).not.toThrow();
    expect(() => verify(body.trim())).toThrow();
  });

  it.each(['webhook', 'svix'])(
    'of Standard Webhooks is valid for its body, and for no other: %s',
    (prefix) => {
      const { secret, id, time, body, signature } = SVIX;
      const headers = {
        [`${prefix}-id`]: id,
        [`${prefix}-timestamp`]: time,
        [`${prefix}-signature`]: signature,
      };
      const now = new Date(Number(time) * 1_000);
      const verify = (text: string) => resend.verify(requestOf(headers, text), { secret, now });
      expect(() => verify(body)).not.toThrow();
      expect(() => verify(`${body} `)).toThrow();
    },
  );
});
