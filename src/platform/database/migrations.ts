import { Foundation1763600000000 } from './migrations/1763600000000-foundation.js';
import { NewsAndAudit1763600000100 } from './migrations/1763600000100-news-and-audit.js';
import { Usage1763600000200 } from './migrations/1763600000200-usage.js';
import { Invites1763600000300 } from './migrations/1763600000300-invites.js';
import { IdempotencyKeys1763700000000 } from './migrations/1763700000000-idempotency-keys.js';
import { Lists1763600000500 } from './migrations/1763600000500-lists.js';
import { PutOff1763600000600 } from './migrations/1763600000600-put-off.js';
import { Bulk1763700000500 } from './migrations/1763700000500-bulk.js';
import { NoticedDomains1763701000000 } from './migrations/1763701000000-noticed-domains.js';
import { Webhooks1763702000000 } from './migrations/1763702000000-webhooks.js';
import { Billing1763703000000 } from './migrations/1763703000000-billing.js';
import { ResultsByReason1763800000700 } from './migrations/1763800000700-results-by-reason.js';
import { Rechecks1763800000800 } from './migrations/1763800000800-rechecks.js';
import { Retention1763800000900 } from './migrations/1763800000900-retention.js';
import { ConfirmedUsers1763800001100 } from './migrations/1763800001100-confirmed-users.js';
import { Names1763800001200 } from './migrations/1763800001200-names.js';
import { BulkDelimiter1763800001300 } from './migrations/1763800001300-bulk-delimiter.js';
import { EgressWarmup1763800001500 } from './migrations/1763800001500-egress-warmup.js';
import { EgressWarmupTeams1763800001750 } from './migrations/1763800001750-egress-warmup-teams.js';
import { SmtpLeases1763800001600 } from './migrations/1763800001600-smtp-leases.js';
import { SmtpFacts1763800001700 } from './migrations/1763800001700-smtp-facts.js';
import { PublishableKeys1763800001900 } from './migrations/1763800001900-publishable-keys.js';
import { SignInLinks1763800002000 } from './migrations/1763800002000-sign-in-links.js';
import { FirstTeam1763800002000 } from './migrations/1763800002000-first-team.js';
import { ChunkDomains1763800002100 } from './migrations/1763800002100-chunk-domains.js';
import { ChunkProviders1763800002200 } from './migrations/1763800002200-chunk-providers.js';
import { SecretKeyCheck1763800002400 } from './migrations/1763800002400-secret-key-check.js';

/** In execution order. A released migration must not be changed. */
export const MIGRATIONS = [
  Foundation1763600000000,
  NewsAndAudit1763600000100,
  Usage1763600000200,
  Invites1763600000300,
  Lists1763600000500,
  PutOff1763600000600,
  IdempotencyKeys1763700000000,
  Bulk1763700000500,
  NoticedDomains1763701000000,
  Webhooks1763702000000,
  Billing1763703000000,
  ResultsByReason1763800000700,
  Rechecks1763800000800,
  Retention1763800000900,
  ConfirmedUsers1763800001100,
  Names1763800001200,
  BulkDelimiter1763800001300,
  EgressWarmup1763800001500,
  SmtpLeases1763800001600,
  SmtpFacts1763800001700,
  EgressWarmupTeams1763800001750,
  PublishableKeys1763800001900,
  SignInLinks1763800002000,
  FirstTeam1763800002000,
  ChunkDomains1763800002100,
  ChunkProviders1763800002200,
  SecretKeyCheck1763800002400,
];
