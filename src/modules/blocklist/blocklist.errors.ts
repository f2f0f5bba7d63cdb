import { DomainError, type ErrorDefinition } from '../../kernel/errors.js';

export class AlreadyBlocked extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'already_blocked',
    status: 409,
    title: 'The domain is on the blocklist',
    detail: 'This domain is on the team’s blocklist.',
    help: 'The team has blocked this domain. A subdomain of a blocked domain can be added, although it is covered.',
  };
}
