import {
  InvalidCredential,
  InvalidRequest,
  LimitReached,
  LiveKeyRequired,
  OriginNotAllowed,
  RateLimited,
  RoleRequired,
  SecretKeyRequired,
  type NamedError,
} from './kernel/errors.js';
import { ACCESS_ERRORS } from './modules/access/access.errors.js';
import { ACCOUNTS_ERRORS } from './modules/accounts/accounts.errors.js';
import { API_KEYS_ERRORS } from './modules/api-keys/api-keys.errors.js';
import { BILLING_ERRORS } from './modules/billing/domain/billing.errors.js';
import { BLOCKLIST_ERRORS } from './modules/blocklist/blocklist.errors.js';
import { BULK_ERRORS } from './modules/bulk/domain/bulk.errors.js';
import { DISPOSABLE_ERRORS } from './modules/disposable/disposable.errors.js';
import { OUTCOME_INTAKE_ERRORS } from './modules/outcome-intake/domain/outcome-intake.errors.js';
import { TEAMS_ERRORS } from './modules/teams/teams.errors.js';
import { TIERS_ERRORS } from './modules/tiers/tiers.errors.js';
import { USAGE_ERRORS } from './modules/usage/usage.errors.js';
import { InvalidCursor } from './platform/http/paging/cursor.js';
import { IDEMPOTENCY_ERRORS } from './platform/http/idempotency/idempotency.errors.js';
import { HTTP_ERRORS } from './platform/http/problems/problems.js';

/** Every error that the API can return. The errors page and the OpenAPI document list them. */
export const ERRORS: readonly NamedError[] = [
  InvalidRequest,
  InvalidCursor,
  InvalidCredential,
  RoleRequired,
  LiveKeyRequired,
  SecretKeyRequired,
  OriginNotAllowed,
  LimitReached,
  RateLimited,
  ...HTTP_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  ...ACCESS_ERRORS,
  ...ACCOUNTS_ERRORS,
  ...API_KEYS_ERRORS,
  ...BILLING_ERRORS,
  ...BLOCKLIST_ERRORS,
  ...BULK_ERRORS,
  ...DISPOSABLE_ERRORS,
  ...OUTCOME_INTAKE_ERRORS,
  ...TEAMS_ERRORS,
  ...TIERS_ERRORS,
  ...USAGE_ERRORS,
];
