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
import * as listFiles from './kernel/list-files/list-file.errors.js';
import * as access from './modules/access/access.errors.js';
import * as accounts from './modules/accounts/domain/accounts.errors.js';
import * as apiKeys from './modules/api-keys/api-keys.errors.js';
import * as billing from './modules/billing/domain/billing.errors.js';
import * as blocklist from './modules/blocklist/blocklist.errors.js';
import * as bulk from './modules/bulk/domain/bulk.errors.js';
import * as disposable from './modules/disposable/disposable.errors.js';
import * as oauth from './modules/oauth/oauth.errors.js';
import * as outcomeIntake from './modules/outcome-intake/domain/outcome-intake.errors.js';
import * as policy from './modules/policy/policy.errors.js';
import * as teams from './modules/teams/teams.errors.js';
import * as tiers from './modules/tiers/tiers.errors.js';
import * as usage from './modules/usage/usage.errors.js';
import { InvalidCursor } from './platform/http/paging/cursor.js';
import * as idempotency from './platform/http/idempotency/idempotency.errors.js';
import * as http from './platform/http/problems/problems.js';
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
  secrets,
  teams,
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
  ...FILES.flatMap((errors) => Object.values<NamedError>(errors)),
];
