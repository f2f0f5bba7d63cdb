import { DomainError, type FieldError, type ErrorDefinition } from './domain-error.js';

export class InvalidRequest extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_request',
    kind: 'invalid',
    title: 'The request is not valid',
    help: 'A parameter or a member of the body is missing, unknown or out of range. `errors` lists each one with a JSON pointer and a message that says what to send instead.',
  };
  /** @param detail for a body that has lines, in which a JSON pointer means nothing. */
  constructor(
    override readonly fieldErrors: readonly FieldError[],
    detail = fieldErrors.map(({ pointer, message }) => `${pointer || 'The body'}: ${message}`).join(' '),
  ) {
    super(detail);
  }
}
