import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';

export class BulkTooLarge extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'bulk_too_large',
    kind: 'too-large',
    title: 'The list is too long for one job',
    help: '`limit` is the most rows that one job of the team’s tier takes. Split the list, or see about a higher tier.',
  };
  override readonly members: Readonly<Record<string, unknown>>;

  constructor(limit: number) {
    super(`One job takes at most ${limit} rows; split the list.`);
    this.members = { limit };
  }
}

export class MalformedList extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'malformed_list',
    kind: 'invalid',
    title: 'The list cannot be read',
    help: 'The body is not what its content type says, not UTF-8, or ended before it was whole. A CSV needs a first line with a column named `email`.',
  };
}

export class QueueFull extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'queue_full',
    kind: 'unavailable',
    title: 'Too many lists wait',
    help: 'So many rows wait to be verified, of the team or of all together, that no new list is taken. Nothing was charged; try again after `Retry-After`. Single addresses are verified as ever.',
  };
  override readonly retryAfter = 60;
  constructor() {
    super('Too many rows wait to be verified; send the list again later.');
  }
}

export class TooManyExports extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'too_many_exports',
    kind: 'rate-limited',
    title: 'Too many downloads at once',
    help: 'A team may download so many results as CSV or NDJSON at once as `limit` says. Read one to its end, or close it, then try again after `Retry-After`. Pages of JSON are not counted.',
  };
  override readonly retryAfter = 10;
  override readonly members: Readonly<Record<string, unknown>>;

  constructor(limit: number) {
    super(`A team may download ${limit} results at once.`);
    this.members = { limit };
  }
}
