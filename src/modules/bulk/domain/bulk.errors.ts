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

export class MalformedList extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'malformed_list',
    status: 400,
    title: 'The list cannot be read',
    help: 'The body does not match its content type, is in another encoding, or is incomplete; `detail` names the line. A CSV has its addresses in a column with a usual name such as `email` or `E-Mail`, in the only column of which most cells are addresses, or in the one that `email_column` gives by name or number. A CSV of which nearly no row would have a valid address is refused too, unless `email_column` or `delimiter` is given. Nothing was charged. Save a workbook as CSV in UTF-8.',
  };
}

export class UnknownCharset extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'unknown_charset',
    status: 415,
    title: 'The charset of the list is not known',
    help: 'The `charset` of `text/csv` names the encoding of the list, unless `?encoding=` does or the list begins with a byte order mark. Save the list in UTF-8, or in one of the encodings that `detail` names.',
  };

  constructor(known: readonly string[]) {
    super(`Send the list as text/csv; charset= one of ${known.join(', ')}.`);
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
