import { DomainError, type ErrorFact, type NamedError } from '../../../kernel/errors/domain-error.js';

export class MalformedReport extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'malformed_report',
    kind: 'invalid',
    title: 'The report cannot be read',
    help: 'Send one message as it arrived (RFC 5322), with all of its headers, as `message/rfc822`.',
  };
  constructor() {
    super('The body is no message (RFC 5322), or its parts are nested too deeply.');
  }
}

export const OUTCOME_INTAKE_ERRORS: readonly NamedError[] = [MalformedReport];
