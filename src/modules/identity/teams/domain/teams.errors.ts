import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

export class AlreadyMember extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'already_member',
    status: 409,
    title: 'The address belongs to a member of the team',
    help: 'A member cannot be invited again. Change the role instead.',
  };
}

export class AddressInUse extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'address_in_use',
    status: 409,
    title: 'Another confirmed user has this address',
    help: 'Only one user can be confirmed for an address. `rcpt users list` shows who has it.',
  };
}

export class InvalidInvite extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_invite',
    status: 404,
    title: 'The invite is not valid',
    detail: 'The token is malformed or unknown, or its invite was used, revoked, or has expired.',
    help: 'The token is malformed or unknown, or its invite was used, revoked, replaced by a newer one, or has expired. The response is the same in all these cases. Request a new invite.',
  };
}

export class CannotRemoveOwner extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'cannot_remove_owner',
    status: 400,
    title: 'The owner cannot be removed',
    detail: 'Give another member the role owner first, or delete the team.',
    help: 'A team has exactly one owner. Give another member the role `owner` first (`PATCH /v1/team/members/{id}`), or delete the team.',
  };
}

export class LastOwner extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'last_owner',
    status: 400,
    title: 'The role of the owner cannot be changed',
    detail: 'Give another member the role owner; the former owner becomes admin.',
    help: 'A team has exactly one owner. Give another member the role `owner`; the former owner becomes admin.',
  };
}
