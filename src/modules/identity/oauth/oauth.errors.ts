import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class AuthorizationRequestGone extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'authorization_request_gone',
    status: 404,
    title: 'The request of this program is no longer open',
    detail:
      'The request was answered, has expired, or began in another browser. Connect again in the program.',
    help: 'A program asks for an authorization in a browser, within an hour, and gets one answer. Connect again in the program.',
  };
}
