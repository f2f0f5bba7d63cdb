import type { EntitySchema } from 'typeorm';
import { SignInLinkRowSchema } from './modules/accounts/adapters/postgres-sign-in-link.schema.js';
import {
  SignupConfirmationRowSchema,
  SignupMailCountRowSchema,
} from './modules/accounts/adapters/postgres-signup-confirmation.schema.js';
import { ApiKeySchema } from './modules/api-keys/adapters/postgres-api-key.schema.js';
import {
  BillingCustomerRowSchema,
  BillingEventRowSchema,
} from './modules/billing/adapters/postgres-billing-customer.schema.js';
import { BlocklistEntrySchema } from './modules/blocklist/adapters/postgres-blocklist.schema.js';
import { BulkJobSchema } from './modules/bulk/adapters/postgres-bulk-job.schema.js';
import {
  BulkResultRowSchema,
  BulkRowReasonRowSchema,
  BulkRowSchema,
} from './modules/bulk/adapters/postgres-list.schema.js';
import { BulkChunkRowSchema, BulkTeamRowSchema } from './modules/bulk/adapters/postgres-work.schema.js';
import { DisposableOverrideSchema } from './modules/disposable/adapters/postgres-disposable-override.schema.js';
import { InviteSchema } from './modules/teams/adapters/postgres-invite.schema.js';
import { MemberSchema, TeamSchema, UserSchema } from './modules/teams/adapters/postgres-team.schema.js';
import {
  PublishableAddressRowSchema,
  PublishableRequestsRowSchema,
} from './modules/publishable-keys/adapters/postgres-publishable.schema.js';
import {
  QuotaDayRowSchema,
  QuotaLeaseRowSchema,
  UsageDayRowSchema,
} from './modules/usage/adapters/postgres-usage.schema.js';
import { AddressFactsRowSchema } from './modules/verification/adapters/postgres-address-facts.schema.js';
import { SmtpFactRowSchema } from './modules/verification/adapters/postgres-fact.schema.js';
import { SmtpLeaseRowSchema } from './modules/verification/adapters/postgres-lease.schema.js';
import {
  RecheckRowSchema,
  RecheckTeamRowSchema,
} from './modules/verification/adapters/postgres-recheck.schema.js';
import {
  EgressWarmupRowSchema,
  EgressWarmupTeamRowSchema,
} from './modules/verification/adapters/postgres-warmup.schema.js';
import { DeliveryRowSchema } from './modules/webhooks/adapters/postgres-delivery.schema.js';
import { WebhookSchema } from './modules/webhooks/adapters/postgres-webhook.schema.js';
import { AuditLogRowSchema } from './platform/database/postgres-audit-log.schema.js';
import { ErasureRowSchema } from './platform/database/postgres-erasure.schema.js';
import { IdempotencyKeyRowSchema } from './platform/database/postgres-idempotency-key.schema.js';
import { OutboxRowSchema } from './platform/database/postgres-outbox.schema.js';
import { SecretKeyCheckRowSchema } from './platform/database/postgres-secret-key-check.schema.js';
import { OutgoingMailRowSchema } from './platform/mail/postgres-mail-queue.schema.js';

/** The entities of all tables that the migrations create. BullMQ manages its own tables. */
export const SCHEMAS: EntitySchema[] = [
  UserSchema,
  TeamSchema,
  MemberSchema,
  InviteSchema,
  SignupConfirmationRowSchema,
  SignupMailCountRowSchema,
  SignInLinkRowSchema,
  ApiKeySchema,
  BillingCustomerRowSchema,
  BillingEventRowSchema,
  BlocklistEntrySchema,
  BulkJobSchema,
  BulkRowSchema,
  BulkResultRowSchema,
  BulkRowReasonRowSchema,
  BulkChunkRowSchema,
  BulkTeamRowSchema,
  DisposableOverrideSchema,
  PublishableRequestsRowSchema,
  PublishableAddressRowSchema,
  QuotaDayRowSchema,
  QuotaLeaseRowSchema,
  UsageDayRowSchema,
  AddressFactsRowSchema,
  EgressWarmupRowSchema,
  EgressWarmupTeamRowSchema,
  RecheckRowSchema,
  RecheckTeamRowSchema,
  SmtpLeaseRowSchema,
  SmtpFactRowSchema,
  DeliveryRowSchema,
  WebhookSchema,
  AuditLogRowSchema,
  ErasureRowSchema,
  IdempotencyKeyRowSchema,
  OutboxRowSchema,
  SecretKeyCheckRowSchema,
  OutgoingMailRowSchema,
];
