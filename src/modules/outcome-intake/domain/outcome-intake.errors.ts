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

export class TooManyOutcomes extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'too_many_outcomes',
    kind: 'too-large',
    title: 'The body has too many rows',
    help: '`limit` is the maximum number of rows. The rows before it are stored: send the file in parts, what is stored already is a duplicate.',
  };
  override readonly members: Readonly<Record<string, unknown>>;

  constructor(limit: number) {
    super(`A body may have at most ${limit} rows. Split the file.`);
    this.members = { limit };
  }
}

export const OUTCOME_INTAKE_ERRORS: readonly NamedError[] = [MalformedReport, TooManyOutcomes];
