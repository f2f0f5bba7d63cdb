import type { NamedError } from './kernel/domain-error.js';
import {
  InvalidCredential,
  LiveKeyRequired,
  MissingCredential,
  RoleRequired,
} from './modules/access/access.errors.js';
import { UpgradeRequired } from './modules/tiers/tiers.errors.js';
import { DailyQuotaExceeded, RateLimited } from './modules/verification/verification.errors.js';
import { InvalidCursor } from './platform/http/cursor.js';
import {
  InternalError,
  InvalidRequest,
  MalformedHttp,
  MalformedJson,
  MethodNotAllowed,
  NotReady,
  PayloadTooLarge,
  RouteNotFound,
  UnsupportedMediaType,
} from './platform/http/problems.js';

/** Every error that a caller can meet: the docs page and the OpenAPI document list them. */
export const ERRORS: readonly NamedError[] = [
  InvalidRequest,
  MalformedJson,
  MalformedHttp,
  InvalidCursor,
  MissingCredential,
  InvalidCredential,
  UpgradeRequired,
  RoleRequired,
  LiveKeyRequired,
  RouteNotFound,
  MethodNotAllowed,
  PayloadTooLarge,
  UnsupportedMediaType,
  RateLimited,
  DailyQuotaExceeded,
  InternalError,
  NotReady,
];
