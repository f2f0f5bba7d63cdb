import { describe, expect, it } from '@jest/globals';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { DomainError } from '../../../src/kernel/errors.js';
import {
  brevoEvents,
  mailgunEvents,
  postmarkEvents,
  resendEvents,
  sendgridEvents,
  sesEvents,
  sparkpostEvents,
} from '../../../src/modules/outcome-intake/domain/providers/read-events.js';
import {
  kumomtaEvents,
  mailersendEvents,
  mailjetEvents,
  mailtrapEvents,
  mandrillEvents,
  postalEvents,
} from '../../../src/modules/outcome-intake/domain/providers/read-more-events.js';
import { readOutcome } from '../../../src/modules/outcomes/domain/read-outcome.js';

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
      sesEvents({
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
      sendgridEvents(
        many({ event: 'bounce', email: value, reason: value, timestamp: value, status: value, type: value }),
      ),
    postmark: () =>
      postmarkEvents({ RecordType: 'Bounce', Type: value, Email: value, Details: value, BouncedAt: value }),
    mailgun: () =>
      mailgunEvents({
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
      resendEvents({
        type: 'email.bounced',
        created_at: value,
        data: { to: [value], bounce: { diagnosticCode: [value], type: value, subType: value } },
      }),
    brevo: () =>
      brevoEvents({ event: 'hard_bounce', email: value, reason: value, ts_epoch: value, ts_event: value }),
    sparkpost: () =>
      sparkpostEvents(
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
      postalEvents({
        event: 'MessageDeliveryFailed',
        payload: {
          output: value,
          timestamp: value,
          message: { to: value, message_id: value, direction: value },
        },
      }),
    mailjet: () =>
      mailjetEvents(
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
      mandrillEvents(
        many({ event: 'hard_bounce', ts: value, _id: value, msg: { email: value, diag: value } }),
      ),
    mailersend: () =>
      mailersendEvents({
        type: 'activity.hard_bounced',
        created_at: value,
        data: { email: value, message_id: value, morph: { reason: value } },
      }),
    mailtrap: () =>
      mailtrapEvents({
        events: many({
          event: 'bounce',
          email: value,
          timestamp: value,
          response: value,
          response_code: value,
        }),
      }),
    kumomta: () =>
      kumomtaEvents(
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
    for (const read of [sendgridEvents, sparkpostEvents, mailjetEvents, mandrillEvents, kumomtaEvents])
      expect(() => read(many)).toThrow(DomainError);
    expect(() => mailtrapEvents({ events: many })).toThrow(DomainError);
    expect(() => sesEvents({ eventType: 'Delivery', delivery: { recipients: many } })).toThrow(DomainError);
  });
});
