import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';

export class BulkTooLarge extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'bulk_too_large',
    status: 413,
    title: 'The list is too long for one job',
    help: '`limit` is the maximum number of rows in one job of the team’s tier. Split the list, or use a higher tier.',
  };

  constructor(limit: number) {
    super(`A job may have at most ${limit} rows. Split the list.`, { members: { limit } });
  }
}

export class TooManyHeldLists extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_held_lists',
    status: 409,
    title: 'Too many lists are held',
    help: '`limit` is the maximum number of lists of a team that wait for `POST /v1/bulk-jobs/{id}/start`, or were canceled before; 5,000,000 rows together are another limit. Start or delete one. A held list is deleted after 24 hours.',
  };

  constructor(limit: number) {
    super(`The team has as many held lists as it may, at most ${limit}. Start or delete one.`, {
      members: { limit },
    });
  }
}

export class ListCanceled extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'list_canceled',
    status: 409,
    title: 'The list was canceled',
    detail: 'The list was canceled before it was started. Send it again.',
    help: 'A held list that was canceled cannot be started. Nothing was charged. Send it again.',
  };
}

export class QueueFull extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'queue_full',
    status: 503,
    title: 'Too many rows are waiting',
    detail: 'Too many rows are waiting to be verified. Send the list again later.',
    help: 'Too many rows of the team, or of all teams, are waiting to be verified. Nothing was charged. Try again after `Retry-After`. Single addresses are still verified.',
    retryAfter: 60,
  };
}

export class TooManyStreams extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_streams',
    status: 429,
    title: 'Too many event streams',
    help: '`limit` is the maximum number of open event streams of a team in one process; all teams together have 200, and when these are in use, a team with fewer streams gets one of the team that has the most. Close one, or poll `GET /v1/bulk-jobs/{id}`.',
    retryAfter: 10,
  };

  constructor(limit: number) {
    super(`A team may have at most ${limit} open event streams.`, { members: { limit } });
  }
}
