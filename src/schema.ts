import type { EntitySchema } from 'typeorm';
import { ApiKeySchema } from './modules/api-keys/adapters/postgres-api-key.schema.js';
import { BlocklistEntrySchema } from './modules/blocklist/adapters/postgres-blocklist.schema.js';
import { BulkJobSchema } from './modules/bulk/adapters/postgres-bulk-job.schema.js';
import { DisposableOverrideSchema } from './modules/disposable/adapters/postgres-disposable-override.schema.js';
import { InviteSchema } from './modules/teams/adapters/postgres-invite.schema.js';
import { MemberSchema, TeamSchema, UserSchema } from './modules/teams/adapters/postgres-team.schema.js';
import { WebhookSchema } from './modules/webhooks/adapters/postgres-webhook.schema.js';

/** Every table that is mapped onto a domain class. */
export const SCHEMAS: EntitySchema[] = [
  UserSchema,
  TeamSchema,
  MemberSchema,
  InviteSchema,
  ApiKeySchema,
  BlocklistEntrySchema,
  DisposableOverrideSchema,
  BulkJobSchema,
  WebhookSchema,
];
