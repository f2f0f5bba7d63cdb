import { DomainError, type ErrorDefinition } from './domain-error.js';

export class LimitReached extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'limit_reached',
    kind: 'conflict',
    title: 'The team has reached a limit',
    help: '`what` names the objects, `limit` is the maximum for a team. Delete some first.',
  };

  /** @param what the objects in the plural, in snake_case: `keys`, `pending_invites`. */
  constructor(what: string, limit: number) {
    super(`A team may have at most ${limit} ${what.replaceAll('_', ' ')}.`, { members: { limit, what } });
  }
}
