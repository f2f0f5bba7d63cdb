import { DomainError, type ErrorDefinition } from './domain-error.js';

export class SecretKeyRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'secret_key_required',
    kind: 'forbidden',
    title: 'This requires a secret key',
    detail:
      'A publishable key can only verify single addresses, without refresh. Use a secret key, on a server.',
    help: 'A publishable key can only verify one address with `GET` or `POST /v1/verify`, without `refresh` and `emails`. Everything else requires a secret key, which must not stand in a page.',
  };
}
