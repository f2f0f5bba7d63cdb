import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class PolicyChanged extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'policy_changed',
    status: 412,
    title: 'The policy has changed',
    detail: 'The policy is another than the one with the ETag in If-Match. Read it again.',
    help: 'The header `If-Match` has the `ETag` of another version of the policy: somebody has changed it since it was read. Read it again, repeat the change there, and send the new `ETag`.',
  };
}
