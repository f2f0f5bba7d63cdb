import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class AlreadyMember extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'already_member',
    kind: 'conflict',
    title: 'They are in the team already',
    help: 'The address belongs to a member of the team, so there is nothing to invite them to. Change their role instead.',
  };
  constructor() {
    super('This address belongs to a member of the team.');
  }
}

export class InvalidInvite extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_invite',
    kind: 'not-found',
    title: 'The invite is not good',
    help: 'The token is misspelt or unknown, or its invite was used, revoked, replaced by a newer one, or has expired; the answer is the same for all of these. Ask for a new one.',
  };
  constructor() {
    super('The token is misspelt or unknown, or its invite was used, revoked, or has expired.');
  }
}

export class CannotRemoveOwner extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'cannot_remove_owner',
    kind: 'invalid',
    title: 'The owner cannot be removed',
    help: 'A team has exactly one owner. Hand the team over first (`PATCH /v1/team/members/{id}` with the role `owner`), or delete the team.',
  };
  constructor() {
    super('Hand the team over first, or delete it.');
  }
}

export class LastOwner extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'last_owner',
    kind: 'invalid',
    title: 'The owner cannot step down',
    help: 'A team has exactly one owner. Give another member the role `owner`; you become admin in the same moment.',
  };
  constructor() {
    super('Give another member the role owner; you become admin in the same moment.');
  }
}
