/** The examples of events in the OpenAPI document. A test validates each against its schema. */

const ID = '01kaj3wzj4e0t9x7n2v8q5r6sm';

export const JOB = {
  job_id: `job_${ID}`,
  mode: 'live',
  status: 'completed',
  failure: null,
  total: 3,
  empty: 0,
  unique: 2,
  processed: 3,
  by_status: { deliverable: 2, undeliverable: 1, risky: 0, unknown: 0 },
  by_reason: { accepted_email: 2, mailbox_not_found: 1 },
  links: {
    job: `https://verify.example.org/v1/bulk-jobs/job_${ID}`,
    results: `https://verify.example.org/v1/bulk-jobs/job_${ID}/results`,
  },
} as const;

export const QUOTA = { mode: 'live', date: '2026-11-21', limit: 1000, used: 800 } as const;
export const MEMBER = { member_id: `mem_${ID}`, user_id: `usr_${ID}` } as const;
export const KEY = { key_id: `key_${ID}`, user_id: `usr_${ID}`, mode: 'live' } as const;

export const VERDICT = {
  email: 'jane@example.com',
  normalized_email: 'jane@example.com',
  local_part: 'jane',
  domain: 'example.com',
  status: 'deliverable',
  reason: 'accepted_email',
  score: 95,
  did_you_mean: null,
  checks: {
    disposable: false,
    privacy_relay: false,
    role: false,
    free: false,
    subaddress: false,
    no_reply: false,
    catch_all: false,
    mailbox_full: null,
    disabled: null,
    smtputf8: null,
  },
  dns: {
    mx_found: true,
    implicit_mx: false,
    null_mx: false,
    mx: [{ host: 'mx.example.com', preference: 10 }],
    provider: null,
    error: null,
  },
  smtp: {
    stage: 'rcpt',
    code: 250,
    enhanced_code: '2.1.5',
    category: 'accepted',
    mx_host: 'mx.example.com',
    attempts: 1,
    tls: true,
    text: '2.1.5 Ok',
    rule: 'recipient2xx.250',
    egress: 'direct',
  },
  policy: { decision: 'accept', rule: null },
  outcome: null,
  estimate: null,
  list_match: null,
  retry_after: null,
  verified_at: '2026-11-21T12:00:00.000Z',
  cached: false,
  age_seconds: 0,
  duration_ms: 412,
} as const;
