import { DomainError, type ErrorDefinition, type NamedError } from '../../kernel/errors/domain-error.js';

export class OriginNotAllowed extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'origin_not_allowed',
    kind: 'forbidden',
    title: 'The key may not be used from this origin',
    help: 'A publishable key can be used by scripts in pages of its `allowed_origins` only. The header `Origin` is missing or has another value. Programs use a secret key.',
  };
  constructor() {
    super('The publishable key may not be used from this origin, or the request has none.');
  }
}

export const PUBLISHABLE_KEYS_ERRORS: readonly NamedError[] = [OriginNotAllowed];
