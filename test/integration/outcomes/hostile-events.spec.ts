import { describe, expect, it } from '@jest/globals';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { DomainError } from '../../../src/kernel/errors.js';
import { PROVIDERS } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const SIZE = 950_000;
/** Of all threads, and other files run in them; what costs more than reading takes minutes. */
const MAX_CPU_MS = 6_000;
const MAX_CPU_OF_BATCH_MS = 2_000;
/** Of `OutcomeIntakeService`: between two batches, others have their turn. */
const BATCH = 250;

/** The same value in each member that is read. */
const sameIn = (value: unknown, count: number): Record<string, () => readonly ReportEntry[]> => {
  const many = <T>(event: T) => Array.from({ length: count }, () => event);
  return {
    ses: () =>
      PROVIDERS.ses.read({
        notificationType: 'Bounce',
        bounce: {
          bounceType: value,
          bounceSubType: value,
          timestamp: value,
          bouncedRecipients: many({ emailAddress: value, diagnosticCode: value, status: value }),
        },
        mail: { messageId: value },
      }),
    sendgrid: () =>
      PROVIDERS.sendgrid.read(
        many({ event: 'bounce', email: value, reason: value, timestamp: value, status: value, type: value }),
      ),
    postmark: () =>
      PROVIDERS.postmark.read({
        RecordType: 'Bounce',
        Type: value,
        Email: value,
        Details: value,
        BouncedAt: value,
      }),
    mailgun: () =>
      PROVIDERS.mailgun.read({
        'event-data': {
          event: 'failed',
          severity: 'permanent',
          reason: value,
          recipient: value,
          timestamp: value,
          'delivery-status': { message: value, code: value, 'enhanced-code': value, 'mx-host': value },
        },
      }),
    resend: () =>
      PROVIDERS.resend.read({
        type: 'email.bounced',
        created_at: value,
        data: { to: [value], bounce: { diagnosticCode: [value], type: value, subType: value } },
      }),
    brevo: () =>
      PROVIDERS.brevo.read({
        event: 'hard_bounce',
        email: value,
        reason: value,
        ts_epoch: value,
        ts_event: value,
      }),
    sparkpost: () =>
      PROVIDERS.sparkpost.read(
        many({
          msys: {
            message_event: {
              type: 'bounce',
              raw_rcpt_to: value,
              raw_reason: value,
              timestamp: value,
              error_code: value,
              bounce_class: value,
            },
          },
        }),
      ),
    postal: () =>
      PROVIDERS.postal.read({
        event: 'MessageDeliveryFailed',
        payload: {
          output: value,
          timestamp: value,
          message: { to: value, message_id: value, direction: value },
        },
      }),
    mailjet: () =>
      PROVIDERS.mailjet.read(
        many({
          event: 'bounce',
          email: value,
          time: value,
          hard_bounce: value,
          error: value,
          comment: value,
        }),
      ),
    mandrill: () =>
      PROVIDERS.mandrill.read(
        many({ event: 'hard_bounce', ts: value, _id: value, msg: { email: value, diag: value } }),
      ),
    mailersend: () =>
      PROVIDERS.mailersend.read({
        type: 'activity.hard_bounced',
        created_at: value,
        data: { email: value, message_id: value, morph: { reason: value } },
      }),
    mailtrap: () =>
      PROVIDERS.mailtrap.read({
        events: many({
          event: 'bounce',
          email: value,
          timestamp: value,
          response: value,
          response_code: value,
        }),
      }),
    kumomta: () =>
      PROVIDERS.kumomta.read(
        many({
          type: 'Bounce',
          id: value,
          recipient: value,
          timestamp: value,
          peer_address: { name: value },
          response: { code: value, enhanced_code: value, content: value, command: value },
        }),
      ),
  };
};

const nested = JSON.parse('['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)) as unknown;
const VALUES: Readonly<Record<string, unknown>> = {
  'nested lists': nested,
  'a long text': 'x'.repeat(SIZE),
  brackets: '<'.repeat(1_000),
  'closing brackets': `${'>'.repeat(999)}x`,
  'brackets in pairs': '<a>'.repeat(333),
  comments: '('.repeat(1_000),
  'encoded words': '=?utf-8?q?'.repeat(100),
  quotations: "550-'said: (reason: ".repeat(50),
  spaces: `said:${' '.repeat(990)}x`,
  'an address of many labels': `a@${'a.'.repeat(499)}`,
  'many addresses': 'a@b,'.repeat(250),
};

describe.each(Object.entries(VALUES))('events with %s in each member', (_, value) => {
  const count = typeof value === 'string' ? Math.min(10_000, Math.floor(SIZE / (3 * value.length)) + 1) : 1;

  it.each(Object.entries(sameIn(value, count)))('cost no more than reading them: %s', (_, events) => {
    const start = process.cpuUsage();
    const entries = events();
    for (let from = 0; from < entries.length; from += BATCH) {
      const startOfBatch = process.cpuUsage();
      for (const entry of entries.slice(from, from + BATCH))
        if (!('message' in entry)) readOutcome(entry, NOW);
      expect(process.cpuUsage(startOfBatch).user / 1_000).toBeLessThan(MAX_CPU_OF_BATCH_MS);
    }
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});

describe('a list of events', () => {
  it('has at most 10,000', () => {
    const many = Array.from({ length: 10_001 }, () => 0);
    for (const read of [
      PROVIDERS.sendgrid.read,
      PROVIDERS.sparkpost.read,
      PROVIDERS.mailjet.read,
      PROVIDERS.mandrill.read,
      PROVIDERS.kumomta.read,
    ])
      expect(() => read(many)).toThrow(DomainError);
    expect(() => PROVIDERS.mailtrap.read({ events: many })).toThrow(DomainError);
    expect(() => PROVIDERS.ses.read({ eventType: 'Delivery', delivery: { recipients: many } })).toThrow(
      DomainError,
    );
  });
});
