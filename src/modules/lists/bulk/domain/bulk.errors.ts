import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

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
    help: '`limit` is the maximum number of lists of a team that wait for `POST /v1/bulk-jobs/{id}/start`, or are being deleted; 5,000,000 rows together are another limit. Start or delete one. A held list is deleted after 24 hours.',
  };

  constructor(limit: number) {
    super(`The team has as many held lists as it may, at most ${limit}. Start or delete one.`, {
      members: { limit },
    });
  }
}

export class TooManyUnverified extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_unverified',
    status: 429,
    title: 'Too many rows were sent today and not verified',
    help: '`limit` is the maximum number of rows that a team sends in a day (UTC) in lists that are held, were canceled or deleted before all rows were verified, or were refused after their rows had arrived: 20 times the longest list that it may hold. Such lists may be 1,000 in a day. Started lists do not count. Start those that are held, or try again after `Retry-After`, at midnight UTC. A tier without a daily quota has no such limit.',
  };

  constructor(limit: number, retryAfter: number) {
    super(
      `The team has sent as many rows today that were not verified as it may, at most ${limit}, in at most 1,000 lists. Start held lists, or send this one after midnight UTC.`,
      { members: { limit }, retryAfter },
    );
  }
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
