import type { EntitySchema } from 'typeorm';
import { ApiKeySchema } from './identity/api-keys/adapters/postgres-api-key.schema.js';
import { BlocklistEntrySchema } from './verification/blocklist/adapters/postgres-blocklist.schema.js';
import { BulkJobSchema } from './lists/bulk/adapters/postgres-bulk-job.schema.js';
import { DisposableOverrideSchema } from './verification/disposable/adapters/postgres-disposable-override.schema.js';
import { OAuthRecordRowSchema } from './identity/oauth/adapters/postgres-oauth-record.schema.js';
import { InviteSchema } from './identity/teams/adapters/postgres-invite.schema.js';
import { MemberSchema, TeamSchema, UserSchema } from './identity/teams/adapters/postgres-team.schema.js';
import { OutcomeSourceRowSchema } from './events/outcome-intake/adapters/postgres-source.schema.js';
import { OutcomeVerdictRowSchema } from './verification/outcomes/adapters/postgres-team-statistics.schema.js';
import { OutcomeRowSchema } from './verification/outcomes/adapters/postgres-outcome.schema.js';
import { PolicyRowSchema } from './verification/policy/adapters/postgres-policy.schema.js';
import { AddressFactsRowSchema } from './verification/verification/adapters/postgres-address-facts.schema.js';
import { RecheckRowSchema } from './verification/verification/adapters/postgres-recheck.schema.js';
import { ScheduleRunSchema } from './lists/schedules/adapters/postgres-schedule-run.schema.js';
import { ScheduleSchema } from './lists/schedules/adapters/postgres-schedule.schema.js';
import { WebhookSchema } from './events/webhooks/adapters/postgres-webhook.schema.js';
import {
  SelfCheckDaySchema,
  SelfCheckSchema,
} from './operation/self-checks/adapters/postgres-self-check.schema.js';
import { SignInLinkRowSchema } from './accounts/accounts/adapters/postgres-sign-in-link.schema.js';
import { SignupConfirmationRowSchema } from './accounts/accounts/adapters/postgres-signup-confirmation.schema.js';
import { BillingCustomerRowSchema } from './billing/billing/adapters/postgres-billing-customer.schema.js';
import { DeliveryRowSchema } from './events/webhooks/adapters/postgres-delivery.schema.js';
import { AuditLogRowSchema } from '../platform/database/audit/postgres-audit-log.schema.js';
import { FailedRequestSchema } from '../platform/database/failed-requests/postgres-failed-request.schema.js';
import { IdempotencyKeyRowSchema } from '../platform/database/idempotency/postgres-idempotency-key.schema.js';
import type { EncryptedProperty } from '../platform/database/secret-key-rotation.js';
import { OutboxRowSchema } from '../platform/database/outbox/postgres-outbox.schema.js';
import { OutgoingMailRowSchema } from '../platform/mail/postgres-mail-queue.schema.js';

/** The entities that repositories read and write. Other tables are read and written by SQL only. */
export const SCHEMAS: EntitySchema[] = [
  UserSchema,
  TeamSchema,
  MemberSchema,
  InviteSchema,
  SignupConfirmationRowSchema,
  SignInLinkRowSchema,
  ApiKeySchema,
  BillingCustomerRowSchema,
  BlocklistEntrySchema,
  BulkJobSchema,
  DisposableOverrideSchema,
  OAuthRecordRowSchema,
  OutcomeRowSchema,
  OutcomeVerdictRowSchema,
  OutcomeSourceRowSchema,
  PolicyRowSchema,
  ScheduleSchema,
  ScheduleRunSchema,
  AddressFactsRowSchema,
  RecheckRowSchema,
  SelfCheckSchema,
  SelfCheckDaySchema,
  DeliveryRowSchema,
  WebhookSchema,
  AuditLogRowSchema,
  FailedRequestSchema,
  IdempotencyKeyRowSchema,
  OutboxRowSchema,
  OutgoingMailRowSchema,
];

/** What is encrypted with `SECRET_KEY`; the text of `secret_key_check` is rotated at the start of a process. */
export const ENCRYPTED: readonly EncryptedProperty[] = [
  { schema: WebhookSchema, property: 'secrets' },
  { schema: OutcomeSourceRowSchema, property: 'secret' },
  { schema: ScheduleSchema, property: 'secret' },
  { schema: OutgoingMailRowSchema, property: 'ciphertext' },
  { schema: SignInLinkRowSchema, property: 'ciphertext' },
  { schema: RecheckRowSchema, property: 'address' },
  { schema: RecheckRowSchema, property: 'verdict' },
  { schema: IdempotencyKeyRowSchema, property: 'response' },
];

/** Tables that an archive of `rcpt backup` contains. What is in the database besides them is not of Rcpt. */
export const ARCHIVED: readonly string[] = [
  'api_keys',
  'audit_log',
  'billing_customers',
  'billing_events',
  'blocklist_entries',
  'bulk_chunks',
  'bulk_jobs',
  'bulk_results',
  'bulk_row_reasons',
  'bulk_rows',
  'confirmed_proofs',
  'disposable_overrides',
  'egress_warmup',
  'egress_warmup_teams',
  'erasures',
  'failed_requests',
  'idempotency_keys',
  'invites',
  'list_previews',
  'members',
  'oauth_records',
  'outbox',
  'outcome_accepted',
  'outcome_hosts',
  'outcome_source_tokens',
  'outcome_sources',
  'outcome_statistics',
  'outcome_verdicts',
  'outcomes',
  'outgoing_mails',
  'policies',
  'quota_days',
  'reacher_jobs',
  'reacher_numbers',
  'rechecks',
  'schedule_domains',
  'schedule_members',
  'schedule_rows',
  'schedule_runs',
  'schedules',
  'secret_key_check',
  'self_check_days',
  'self_checks',
  'service_pause',
  'sign_in_links',
  'signup_confirmations',
  'teams',
  'usage_days',
  'users',
  'webhook_deliveries',
  'webhooks',
];

/**
 * Tables that it does not contain, and why. Unlogged ones are not in it either: a crash of the server empties them. The
 * queue is in a schema of its own, and is filled again by the sweeps.
 */
export const NOT_ARCHIVED: Readonly<Record<string, string>> = {
  migrations: 'the manifest names them',
  address_facts: 'stored results of at most seven days; an address is verified again',
  signup_mail_counts: 'limits of a day',
};
