import { DomainError, type ErrorDefinition } from '../../kernel/errors.js';

export class SecretUnreadable extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'secret_unreadable',
    status: 503,
    title: 'A stored secret cannot be decrypted',
    detail: 'A stored secret cannot be decrypted: SECRET_KEY has no key for it. The operator has to add it.',
    help: 'It was encrypted with a key that `SECRET_KEY` no longer lists. The operator adds that key behind the first one and runs `rcpt secret-key rotate`. If the key is lost, create the object with the secret again.',
    retryAfter: 300,
  };
}
