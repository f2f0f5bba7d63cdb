import {
  AddressNotAllowed,
  InvalidCredential,
  InvalidRequest,
  LimitReached,
  LiveKeyRequired,
  OriginNotAllowed,
  RateLimited,
  RoleRequired,
  ScopeRequired,
  SecretKeyRequired,
  type NamedError,
} from './kernel/errors.js';
import { Paused } from './kernel/service-state/pause.js';
import * as listFiles from './kernel/list-files/list-file.errors.js';
import * as access from './modules/identity/access/access.errors.js';
import * as accounts from './modules/accounts/accounts/domain/accounts.errors.js';
import * as apiKeys from './modules/identity/api-keys/api-keys.errors.js';
import * as billing from './modules/billing/billing/domain/billing.errors.js';
import * as blocklist from './modules/verification/blocklist/blocklist.errors.js';
import * as bulk from './modules/lists/bulk/domain/bulk.errors.js';
import * as disposable from './modules/verification/disposable/disposable.errors.js';
import * as oauth from './modules/identity/oauth/oauth.errors.js';
import * as outcomeIntake from './modules/events/outcome-intake/domain/outcome-intake.errors.js';
import * as policy from './modules/verification/policy/policy.errors.js';
import * as schedules from './modules/lists/schedules/domain/schedules.errors.js';
import * as teams from './modules/identity/teams/domain/teams.errors.js';
import * as tiers from './modules/identity/tiers/tiers.errors.js';
import * as usage from './modules/identity/usage/usage.errors.js';
import { InvalidCursor } from './platform/http/paging/cursor.js';
import * as idempotency from './platform/http/idempotency/idempotency.errors.js';
import * as http from './platform/http/problems/problems.js';
import * as threads from './platform/threads/threads.errors.js';
import * as secrets from './platform/secrets/secrets.errors.js';

/** These files export errors only. */
const FILES = [
  http,
  idempotency,
  access,
  accounts,
  apiKeys,
  billing,
  blocklist,
  bulk,
  listFiles,
  disposable,
  oauth,
  outcomeIntake,
  policy,
  schedules,
  secrets,
  teams,
  threads,
  tiers,
  usage,
];

/** Every error that the API can return. The errors page and the OpenAPI document list them. */
export const ERRORS: readonly NamedError[] = [
  InvalidRequest,
  InvalidCursor,
  InvalidCredential,
  RoleRequired,
  ScopeRequired,
  AddressNotAllowed,
  LiveKeyRequired,
  SecretKeyRequired,
  OriginNotAllowed,
  LimitReached,
  RateLimited,
  Paused,
  ...FILES.flatMap((errors) => Object.values<NamedError>(errors)),
];
