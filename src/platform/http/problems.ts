import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';
import { NotFound } from '../../kernel/not-found.js';

/** What can be wrong with any request, whichever route it meant. */

export class MalformedJson extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'malformed_json',
    kind: 'invalid',
    title: 'The body is not JSON',
    help: 'The body could not be read as JSON in UTF-8, nests deeper than 8 levels, or has a member named `__proto__`, `constructor` or `prototype`.',
  };
}

export class MalformedHttp extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'malformed_http',
    kind: 'invalid',
    title: 'The request is not HTTP',
    help: 'The request line, a header or the encoding of the URL could not be read.',
  };
}

export class PayloadTooLarge extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'payload_too_large',
    kind: 'too-large',
    title: 'The request is too large',
    help: 'JSON bodies may have 100 kB, events of the payment provider 256 kB, lists what the tier allows.',
  };
}

export class HeadersTooLarge extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'headers_too_large',
    kind: 'headers-too-large',
    title: 'The header block is too large',
    help: 'All header lines together may have 16 kB (16,384 bytes).',
  };
  constructor() {
    super('The headers may have at most 16,384 bytes together.');
  }
}

export class TargetTooLong extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'target_too_long',
    kind: 'target-too-long',
    title: 'The request target is too long',
    help: 'Path and query together may have 8 kB (8,192 bytes). Long lists go into the body of `POST /v1/verify/bulk`.',
  };
  constructor() {
    super('Path and query may have at most 8,192 bytes together.');
  }
}

export class RequestTimeout extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'request_timeout',
    kind: 'timed-out',
    title: 'The request did not arrive in time',
    help: 'Headers have 15 s to arrive, a JSON body and an event of the payment provider 10 s, a list 10 minutes. The connection is closed; send the request again.',
  };
  constructor(detail = 'The request did not arrive in time.') {
    super(detail);
  }
}

export class UnsupportedMediaType extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'unsupported_media_type',
    kind: 'unsupported-media-type',
    title: 'This content type is not taken here',
    help: 'Send `Content-Type: application/json` in UTF-8 and no content coding, unless the route names another type.',
  };
}

export class RouteNotFound extends NotFound {}

export class MethodNotAllowed extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'method_not_allowed',
    kind: 'method-not-allowed',
    title: 'This path does not take this method',
    help: 'The `Allow` header and the member `allow` name the methods that it takes.',
  };
  override readonly members: { allow: readonly string[] };
  constructor(allow: readonly string[]) {
    super(`This path takes ${allow.join(', ')}.`);
    this.members = { allow };
  }
}

export class NotReady extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'unavailable',
    kind: 'unavailable',
    title: 'The service cannot answer now',
    help: 'The database does not answer, migrations are missing, the process is shutting down, or too many bodies are arriving at once. Try again after `Retry-After`.',
  };
  override readonly retryAfter = 5;
  constructor(
    detail: string,
    override readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

/** What the framework refuses by itself, with a status that no error of ours has. */
export class RequestRefused extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'request_refused',
    kind: 'invalid',
    title: 'The request was refused',
    help: 'The HTTP server refused the request before any route took it; the status says why.',
  };
  constructor(readonly status: number) {
    super('The request was refused before any route took it; the status says why.');
  }
}

export class InternalError extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'internal_error',
    kind: 'internal',
    title: 'Something failed on our side',
    help: 'The fault is logged under `request_id`. Trying again is safe and costs nothing.',
  };
  constructor(readonly status = 500) {
    super('The fault is logged under the request id.');
  }
}
