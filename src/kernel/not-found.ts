import { DomainError, type ErrorFact } from './domain-error.js';

/** There is no such object, or it is another team's: one answer for both, so its detail speaks of neither. */
export class NotFound extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'not_found',
    kind: 'not-found',
    title: 'There is nothing here',
    help: 'No route has this path, or the object does not exist or is not yours.',
  };
}
