import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

/** Thrown on the command line only, so that no route documents it. */
export class InvalidEgressAddress extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_request',
    kind: 'invalid',
    title: 'The address of an egress is not valid',
    help: 'It must be an address, or the name of an egress, an equals sign and an address.',
  };
}
