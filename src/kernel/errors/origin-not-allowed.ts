import { DomainError, type ErrorDefinition } from './domain-error.js';

export class OriginNotAllowed extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'origin_not_allowed',
    kind: 'forbidden',
    title: 'The request may not come from this origin',
    detail: 'The publishable key may not be used from this origin, or the request has none.',
    help: 'A publishable key can be used by scripts in pages of its `allowed_origins` only: the header `Origin` is missing or has another value. Programs use a secret key. `POST /mcp` takes no request from pages of another origin than that of `PUBLIC_URL`.',
  };
}
