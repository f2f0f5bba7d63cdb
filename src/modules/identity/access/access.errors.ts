import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class MissingCredential extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'missing_credential',
    status: 401,
    title: 'A key is required',
    detail: 'Send the header Authorization: Bearer, followed by a key.',
    help: 'Send the header `Authorization: Bearer rcpt_live_…`, or a test key.',
  };
}

export class NoUser extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'no_user',
    status: 401,
    title: 'A key of a user is required',
    detail: 'A service key has no user; use a key of a member.',
    help: 'A service key belongs to the team and has no user. It cannot create keys, or create and accept invites. Use a key of a member.',
  };
}
