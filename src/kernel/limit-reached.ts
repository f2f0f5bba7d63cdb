import { DomainError, type ErrorFact } from './domain-error.js';

export class LimitReached extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'limit_reached',
    kind: 'conflict',
    title: 'The team has as many as it may have',
    help: '`what` says of what, `limit` how many a team may have. Remove some first.',
  };
  override readonly members: Readonly<Record<string, unknown>>;

  /** @param what in the plural, as a member's value: `keys`, `pending_invites`. */
  constructor(what: string, limit: number) {
    super(`A team may have at most ${limit} ${what.replaceAll('_', ' ')}.`);
    this.members = { limit, what };
  }
}
