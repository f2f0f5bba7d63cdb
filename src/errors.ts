import type { NamedError } from './kernel/domain-error.js';
import { InvalidCredential } from './kernel/invalid-credential.js';
import { InvalidRequest } from './kernel/invalid-request.js';
import { LimitReached } from './kernel/limit-reached.js';
import { LiveKeyRequired } from './kernel/live-key-required.js';
import { RateLimited } from './kernel/rate-limited.js';
import { RoleRequired } from './kernel/role-required.js';
import { MissingCredential, NoUser } from './modules/access/access.errors.js';
import { InvalidConfirmation, SignupRefused } from './modules/accounts/accounts.errors.js';
import { KeyNotActive } from './modules/api-keys/api-keys.errors.js';
import {
  BillingUnconfigured,
  InvalidEvent,
  InvalidSignature,
  MissingSignature,
  NoBillingCustomer,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from './modules/billing/billing.errors.js';
import { AlreadyBlocked } from './modules/blocklist/blocklist.errors.js';
import { BulkTooLarge, MalformedList, QueueFull, TooManyExports } from './modules/bulk/bulk.errors.js';
import { AlreadyOverridden } from './modules/disposable/disposable.errors.js';
import { AlreadyMember, CannotRemoveOwner, InvalidInvite, LastOwner } from './modules/teams/teams.errors.js';
import { UpgradeRequired } from './modules/tiers/tiers.errors.js';
import { DailyQuotaExceeded } from './modules/usage/usage.errors.js';
import { InvalidCursor } from './platform/http/cursor.js';
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidIdempotencyKey,
} from './platform/http/idempotency.errors.js';
import {
  HeadersTooLarge,
  InternalError,
  MalformedHttp,
  MalformedJson,
  MethodNotAllowed,
  NotReady,
  PayloadTooLarge,
  RequestRefused,
  RequestTimeout,
  RouteNotFound,
  TargetTooLong,
  UnsupportedMediaType,
} from './platform/http/problems.js';

/** Every error that a caller can meet: the docs page and the OpenAPI document list them. */
export const ERRORS: readonly NamedError[] = [
  InvalidRequest,
  MalformedJson,
  MalformedHttp,
  InvalidCursor,
  InvalidIdempotencyKey,
  IdempotencyKeyReused,
  IdempotencyInProgress,
  MissingCredential,
  InvalidCredential,
  NoUser,
  UpgradeRequired,
  RoleRequired,
  LiveKeyRequired,
  CannotRemoveOwner,
  LastOwner,
  InvalidInvite,
  AlreadyMember,
  RouteNotFound,
  MethodNotAllowed,
  RequestTimeout,
  PayloadTooLarge,
  TargetTooLong,
  HeadersTooLarge,
  UnsupportedMediaType,
  RequestRefused,
  LimitReached,
  KeyNotActive,
  SignupRefused,
  InvalidConfirmation,
  AlreadyBlocked,
  AlreadyOverridden,
  MalformedList,
  BulkTooLarge,
  NoBillingCustomer,
  MissingSignature,
  InvalidSignature,
  InvalidEvent,
  RateLimited,
  DailyQuotaExceeded,
  TooManyExports,
  InternalError,
  NotReady,
  QueueFull,
  BillingUnconfigured,
  PaymentProviderUnavailable,
  PaymentProviderRefused,
];
