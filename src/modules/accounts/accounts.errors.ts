import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class SignupRefused extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'signup_refused',
    kind: 'conflict',
    title: 'This sign-up is refused',
    help: 'Whoever has an account signs up no second time: make keys with the one you have, and accept invites with `POST /v1/invites/accept`.',
  };
  constructor() {
    super('No account can be made with this.');
  }
}
