import { z } from 'zod';
import { REASONS, SMTP_CATEGORIES, SMTP_STAGES, STATUSES, type Verdict } from '../../kernel/verdict.js';

const SEND_ADDRESS = 'Send one address, as in ?email=jane@example.com.';

export const VerifyQuery = z.strictObject({
  email: z
    .string({ error: (issue) => (Array.isArray(issue.input) ? 'Send only one address.' : SEND_ADDRESS) })
    .min(1, SEND_ADDRESS)
    .max(1_000, 'An address has at most 254 characters; more than 1,000 are not looked at.')
    .meta({
      description: 'The address; what is no address gets a verdict too.',
      example: 'jane@example.com',
    }),
  refresh: z
    .enum(['true', 'false', '1', '0'], 'Send true or false.')
    .default('false')
    .transform((text) => text === 'true' || text === '1')
    .meta({
      description: 'Ask the network even where the answer is known; at most once a minute for an address.',
    }),
  timeout: z
    .string('Send a number of seconds once.')
    .regex(/^(([1-9]|[12]\d)(\.\d{1,3})?|30(\.0{1,3})?)$/, 'Send a number of seconds from 1 to 30.')
    .default('10')
    .transform(Number)
    .meta({ description: 'Seconds after which the answer is `unknown / timeout`; 1–30.' }),
});

const tested = (what: string) => z.boolean().meta({ description: what });
const told = (what: string) =>
  z
    .boolean()
    .nullable()
    .meta({ description: `${what} null: not tested, or could not be told.` });

const DIALLED = 'null: no server was dialled, because it has refused us shortly before (`attempts` is 0).';

export const VerdictResponse = z
  .strictObject({
    email: z.string().meta({ description: 'As it was asked.' }),
    normalized_email: z.string().nullable(),
    local_part: z.string().nullable(),
    domain: z.string().nullable().meta({ description: 'A-label, lower case.' }),
    status: z.enum(STATUSES),
    reason: z.enum(REASONS),
    score: z.int().min(0).max(100).meta({ description: 'Higher is safer to send to.' }),
    did_you_mean: z.string().nullable(),
    checks: z.strictObject({
      disposable: tested('A throw-away mailbox provider.'),
      privacy_relay: tested('Forwards to a real mailbox under another name.'),
      role: tested('Names a function, not a person.'),
      free: tested('A consumer mailbox provider.'),
      subaddress: tested('Has a tag, as in jane+news.'),
      no_reply: tested('Says that nobody reads it.'),
      catch_all: told('The domain takes mail for any local part.'),
      mailbox_full: told('The mailbox has no room.'),
      disabled: told('The mailbox is closed.'),
      smtputf8: told('The server takes non-ASCII addresses (RFC 6531).'),
    }),
    dns: z.strictObject({
      mx_found: told('The domain has an MX record.'),
      implicit_mx: told('It has none, but an address of its own (RFC 5321 §5.1).'),
      null_mx: told('It says that it takes no mail (RFC 7505).'),
      mx: z.array(z.strictObject({ host: z.string(), preference: z.int() })),
      provider: z.string().nullable().meta({ description: 'Who runs the mail servers.' }),
    }),
    smtp: z
      .strictObject({
        stage: z.enum(SMTP_STAGES).nullable().meta({ description: DIALLED }),
        code: z.int().nullable(),
        enhanced_code: z.string().nullable(),
        category: z.enum(SMTP_CATEGORIES).nullable(),
        mx_host: z.string().nullable().meta({ description: DIALLED }),
        attempts: z.int().meta({ description: 'Addresses dialled; 0: an earlier refusal of us stands.' }),
        tls: z.boolean().nullable().meta({ description: DIALLED }),
        text: z.string().nullable().meta({ description: 'At most 200 characters.' }),
      })
      .nullable()
      .meta({ description: 'The reply that decided; null: no mail server was asked.' }),
    policy: z.strictObject({
      decision: z.enum(['accept', 'review', 'reject']),
      rule: z.string().nullable().meta({ description: 'The rule of ours, or of the team, that has a say.' }),
    }),
    list_match: z
      .strictObject({
        list: z.enum(['blocklist', 'disposable', 'privacy_relay', 'role']),
        scope: z.enum(['global', 'team']),
        pattern: z.string(),
        source: z.string(),
      })
      .nullable(),
    retry_after: z.int().nullable().meta({ description: 'Seconds after which asking again may tell more.' }),
    verified_at: z.iso.datetime(),
    cached: z.boolean(),
    age_seconds: z.int(),
    duration_ms: z.int(),
  })
  .meta({ id: 'Verdict' });
export type VerdictResponse = z.infer<typeof VerdictResponse>;

export function toResponse(verdict: Verdict): VerdictResponse {
  const { checks, dns, smtp, listMatch } = verdict;
  return {
    email: verdict.email,
    normalized_email: verdict.normalizedEmail,
    local_part: verdict.localPart,
    domain: verdict.domain,
    status: verdict.status,
    reason: verdict.reason,
    score: verdict.score,
    did_you_mean: verdict.didYouMean,
    checks: {
      disposable: checks.disposable,
      privacy_relay: checks.privacyRelay,
      role: checks.role,
      free: checks.free,
      subaddress: checks.subaddress,
      no_reply: checks.noReply,
      catch_all: checks.catchAll,
      mailbox_full: checks.mailboxFull,
      disabled: checks.disabled,
      smtputf8: checks.smtputf8,
    },
    dns: {
      mx_found: dns.mxFound,
      implicit_mx: dns.implicitMx,
      null_mx: dns.nullMx,
      mx: dns.mx,
      provider: dns.provider,
    },
    smtp: smtp && {
      stage: smtp.stage,
      code: smtp.code,
      enhanced_code: smtp.enhancedCode,
      category: smtp.category,
      mx_host: smtp.mxHost,
      attempts: smtp.attempts,
      tls: smtp.tls,
      text: smtp.text,
    },
    policy: verdict.policy,
    list_match: listMatch,
    retry_after: verdict.retryAfter,
    verified_at: verdict.verifiedAt.toISOString(),
    cached: verdict.cached,
    age_seconds: verdict.ageSeconds,
    duration_ms: verdict.durationMs,
  };
}
