import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

export class NoConfirmationNeeded extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'no_confirmation_needed',
    status: 409,
    title: 'The run does not wait for a confirmation',
    help: 'A run can be confirmed or discarded while its `status` is `needs_confirmation`. The first answer counts; after seven days without one it is discarded.',
  };

  /** @param state of the run. */
  constructor(state: string) {
    super(`The run does not wait for a confirmation: its status is ${state}.`);
  }
}
