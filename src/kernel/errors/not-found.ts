import { DomainError, type ErrorDefinition } from './domain-error.js';

/** The object does not exist or belongs to another team. Both cases give the same response. */
export class NotFound extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'not_found',
    kind: 'not-found',
    title: 'Not found',
    help: 'No route has this path, or the object does not exist or belongs to another team.',
  };
}
