import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class AlreadyBlocked extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'already_blocked',
    kind: 'conflict',
    title: 'The domain is on the blocklist',
    help: 'The team has blocked this very domain before. A subdomain of a blocked domain may be added, although it is covered already.',
  };
  constructor() {
    super('This domain is on the team’s blocklist already.');
  }
}
