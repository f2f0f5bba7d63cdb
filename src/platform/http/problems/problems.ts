import { DomainError, NotFound, type ErrorDefinition } from '../../../kernel/errors.js';

export class MalformedJson extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'malformed_json',
    status: 400,
    title: 'The body is not JSON',
    help: 'The body is not JSON in UTF-8, is nested deeper than 8 levels, or has a member named `__proto__`, `constructor` or `prototype`.',
  };
}

export class MalformedHttp extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'malformed_http',
    status: 400,
    title: 'The request is not valid HTTP',
    help: 'The request line, a header, the encoding of the URL, or the framing or compression of the body is not valid.',
  };
}

export class PayloadTooLarge extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'payload_too_large',
    status: 413,
    title: 'The request is too large',
    help: 'The limit is 100 kB for JSON bodies and 256 kB for events of the payment provider. The tier sets the limit for lists.',
  };
}

export class HeadersTooLarge extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'headers_too_large',
    status: 431,
    title: 'The header block is too large',
    detail: 'The headers may have at most 16,384 bytes in total.',
    help: 'The header lines may have 16 kB (16,384 bytes) in total.',
  };
}

export class TargetTooLong extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'target_too_long',
    status: 414,
    title: 'The request target is too long',
    detail: 'Path and query may have at most 8,192 bytes in total.',
    help: 'Path and query may have 8 kB (8,192 bytes) in total. Send lists in the body of `POST /v1/verify/bulk`.',
  };
}

export class RequestTimeout extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'request_timeout',
    status: 408,
    title: 'The request did not arrive in time',
    help: 'Headers must arrive within 15 s, JSON bodies and events of the payment provider within 10 s, lists within 10 minutes; while others wait, a list or outcomes at 20 kB a second. The connection is closed. Send the request again.',
  };
}

export class UnsupportedMediaType extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'unsupported_media_type',
    status: 415,
    title: 'The content type is not supported',
    help: 'Send `Content-Type: application/json` in UTF-8 without a content coding, unless the route documents other types or codings.',
  };
}

export class TooManyUnread extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_unread',
    status: 429,
    title: 'Too many responses were not read',
    detail: 'Read the responses to earlier requests first, then send this one again.',
    help: 'The client does not read its responses as fast as it requests them, and 8 MB wait in this process. From 16 MB on, a connection with another response is reset. Read them, and send fewer requests at once or a smaller `limit`. A list as CSV or NDJSON is one stream that is made as fast as it is read.',
    retryAfter: 1,
  };
}

export class TooManyExports extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_exports',
    status: 429,
    title: 'Too many concurrent downloads',
    help: '`limit` is the maximum number of concurrent downloads (CSV, NDJSON, workbooks) of a team in one process; all teams together have 40, and when these are in use, a team with fewer downloads gets one of the team that has the most. Finish or close one, then try again after `Retry-After`. JSON pages are not counted.',
    retryAfter: 10,
  };

  constructor(limit: number) {
    super(`A team may have at most ${limit} concurrent downloads.`, { members: { limit } });
  }
}

export class RouteNotFound extends NotFound {}

export class MethodNotAllowed extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'method_not_allowed',
    status: 405,
    title: 'The path does not support this method',
    help: 'The `Allow` header and the member `allow` list the supported methods.',
  };
  constructor(readonly allow: readonly string[]) {
    super(`This path supports ${allow.join(', ')}.`, { members: { allow } });
  }
}

export class NotReady extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'unavailable',
    status: 503,
    title: 'The service is not available',
    help: 'The database is not available or cannot write, migrations are missing, the process is shutting down, or too many bodies are being received. Try again after `Retry-After`.',
    retryAfter: 5,
  };
}

/** An error of the framework whose status has no error class here. */
export class RequestRefused extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'request_refused',
    status: 400,
    title: 'The request was rejected',
    help: 'The HTTP server rejected the request before it reached a route. The status says why.',
  };
  constructor(status: number) {
    super('The request was rejected before it reached a route. The status says why.', { status });
  }
}

export class InternalError extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'internal_error',
    status: 500,
    title: 'Internal error',
    help: 'The error is logged under `request_id`. The request was not charged and can be sent again.',
  };
  constructor(status = 500) {
    super('The error is logged under the request id.', { status });
  }
}
