import type { EntitySchema } from 'typeorm';
import { ApiKeySchema } from './api-keys/adapters/postgres-api-key.schema.js';
import { BlocklistEntrySchema } from './blocklist/adapters/postgres-blocklist.schema.js';
import { BulkJobSchema } from './bulk/adapters/postgres-bulk-job.schema.js';
import { DisposableOverrideSchema } from './disposable/adapters/postgres-disposable-override.schema.js';
import { OAuthRecordRowSchema } from './oauth/adapters/postgres-oauth-record.schema.js';
import { InviteSchema } from './teams/adapters/postgres-invite.schema.js';
import { MemberSchema, TeamSchema, UserSchema } from './teams/adapters/postgres-team.schema.js';
import { OutcomeSourceRowSchema } from './outcome-intake/adapters/postgres-source.schema.js';
import { OutcomeVerdictRowSchema } from './outcomes/adapters/postgres-team-statistics.schema.js';
import { OutcomeRowSchema } from './outcomes/adapters/postgres-outcome.schema.js';
import { PolicyRowSchema } from './policy/adapters/postgres-policy.schema.js';
import { AddressFactsRowSchema } from './verification/adapters/postgres-address-facts.schema.js';
import { RecheckRowSchema } from './verification/adapters/postgres-recheck.schema.js';
import { ScheduleRunSchema } from './schedules/adapters/postgres-schedule-run.schema.js';
import { ScheduleSchema } from './schedules/adapters/postgres-schedule.schema.js';
import { WebhookSchema } from './webhooks/adapters/postgres-webhook.schema.js';
import { SelfCheckDaySchema, SelfCheckSchema } from './self-checks/adapters/postgres-self-check.schema.js';
import { SignInLinkRowSchema } from './accounts/adapters/postgres-sign-in-link.schema.js';
import { SignupConfirmationRowSchema } from './accounts/adapters/postgres-signup-confirmation.schema.js';
import { BillingCustomerRowSchema } from './billing/adapters/postgres-billing-customer.schema.js';
import { DeliveryRowSchema } from './webhooks/adapters/postgres-delivery.schema.js';
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

/**
 * Tables that an archive of `rcpt backup` does not contain, and why. All others are in it, except unlogged ones, which a
 * crash of the server empties. The queue is in a schema of its own, and is filled again by the sweeps.
 */
export const NOT_ARCHIVED: Readonly<Record<string, string>> = {
  migrations: 'the manifest names them',
  address_facts: 'stored results of at most seven days; an address is verified again',
  signup_mail_counts: 'limits of a day',
};
