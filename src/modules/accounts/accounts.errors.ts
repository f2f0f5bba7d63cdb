import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class SignupRefused extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'signup_refused',
    kind: 'conflict',
    title: 'This sign-up is refused',
    help: 'The address is that of a confirmed member of some team, who signs up no second time: make keys with the account you have, and accept invites with `POST /v1/invites/accept`.',
  };
  constructor() {
    super('No account can be made with this.');
  }
}

export class InvalidConfirmation extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_confirmation',
    kind: 'not-found',
    title: 'The link is not good',
    help: 'The token is misspelt or unknown, or its link was used, or has expired; the answer is the same for all of these. Sign up again to be sent another one.',
  };
  constructor() {
    super('The token is misspelt or unknown, or its link was used, or has expired.');
  }
}
