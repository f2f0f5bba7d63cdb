import { DomainError, type Complaint, type ErrorFact } from './domain-error.js';

export class InvalidRequest extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_request',
    kind: 'invalid',
    title: 'The request is not valid',
    help: 'A parameter or a member of the body is missing, unknown or out of bounds. `errors` names each with a JSON pointer and says what to send instead.',
  };
  constructor(override readonly complaints: readonly Complaint[]) {
    super(complaints.map(({ pointer, message }) => `${pointer || 'The body'}: ${message}`).join(' '));
  }
}
