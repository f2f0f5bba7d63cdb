import { DomainError, type ErrorDefinition } from './domain-error.js';

export class LiveKeyRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'live_key_required',
    kind: 'forbidden',
    title: 'This requires a live key',
    detail: 'Test keys are not allowed here. Use a live key.',
    help: 'Test keys can read, verify, submit bulk jobs and manage test webhooks. Everything else requires a live key.',
  };
}
