export { Rcpt, type RcptOptions, type VerifyManyOptions, type VerifyOptions } from './rcpt.js';
export {
  Bulk,
  type JobReference,
  type ResultsOptions,
  type SubmitOptions,
  type WaitOptions,
} from './bulk.js';
export { type ListContent, type ListSource } from './list-body.js';
export { Outcomes, OutcomeSources, type OutcomeInput } from './outcomes.js';
export { TeamPolicy } from './policy.js';
export { type ProofCheck, type ProofCheckOptions } from './proofs.js';
export { Schedules, type RunReference, type ScheduleReference } from './schedules.js';
export { type RequestOptions } from './transport.js';
export { Webhooks, type WebhookHeaders } from './webhooks.js';
export {
  ApiConnectionError,
  ApiError,
  ApiTimeoutError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  JobTimeoutError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  QuotaExceededError,
  RateLimitError,
  RcptError,
  ServerError,
  ServiceUnavailableError,
  UnexpectedResponseError,
  UpgradeRequiredError,
  WebhookVerificationError,
} from './errors.js';
export type * from './types.js';
export type { components, paths, webhooks } from './schema.js';
