import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class MissingCredential extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'missing_credential',
    kind: 'unauthenticated',
    title: 'A key is needed',
    help: 'Send the header `Authorization: Bearer rcpt_live_…`, or a test key.',
  };
  constructor() {
    super('Send the header Authorization: Bearer, followed by a key.');
  }
}

export class NoUser extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'no_user',
    kind: 'unauthenticated',
    title: 'This takes a key that belongs to a user',
    help: 'A service key belongs to the team and to no user, so it makes no keys, and makes or accepts no invites. Use a key of a member.',
  };
  constructor() {
    super('A service key has no user; use a key of a member.');
  }
}
