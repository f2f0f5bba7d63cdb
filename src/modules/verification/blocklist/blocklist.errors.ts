import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class AlreadyBlocked extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'already_blocked',
    status: 409,
    title: 'The domain is on the blocklist of the team',
    help: 'A domain is blocked once. A subdomain of a blocked domain can be added, although it is covered.',
  };
}
