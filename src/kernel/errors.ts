import type { Role, Scope } from './principal.js';

/** The public description of an error, as the errors page and the OpenAPI document show it. */
export interface ErrorDefinition {
  /** Stable identifier in snake_case, for programs. */
  readonly code: string;
  /** Of the HTTP response (RFC 9110 §15). The command line reads it too. */
  readonly status: number;
  /** The same text for every occurrence. */
  readonly title: string;
  /** When it happens and what to do about it. */
  readonly help: string;
  /** The `detail` of an occurrence that has none of its own. Default: the title says all. */
  readonly detail?: string;
  /** Seconds, sent as `Retry-After` with each occurrence that has none of its own. */
  readonly retryAfter?: number;
}

/** An error class with its description. `src/errors.ts` lists all of them. */
export interface NamedError {
  readonly definition: ErrorDefinition;
}

/** A request member that failed validation. */
export interface FieldError {
  /** JSON pointer (RFC 6901) into the body, or `/name` for a query parameter. */
  pointer: string;
  code: string;
  message: string;
  /** The number that the value may not exceed, where a client can say it in its own words. */
  limit?: number;
}

/** What one occurrence has of its own. */
interface Occurrence {
  members?: Readonly<Record<string, unknown>>;
  retryAfter?: number;
  status?: number;
}

/**
 * Base class of all expected errors. Each subclass has a `static readonly definition`.
 * The message is the public `detail` of the occurrence: it contains no address,
 * no key and nothing that the caller may not see.
 */
export abstract class DomainError extends Error {
  readonly status: number;
  /** Extension members of the problem (RFC 9457 §3.2). */
  readonly members: Readonly<Record<string, unknown>>;
  readonly fieldErrors: readonly FieldError[] = [];
  /** Seconds, sent as `Retry-After`; null: no header. */
  readonly retryAfter: number | null;

  constructor(detail?: string, { members = {}, retryAfter, status }: Occurrence = {}) {
    super(detail);
    const { definition } = this;
    this.message = detail ?? definition.detail ?? `${definition.title}.`;
    this.status = status ?? definition.status;
    this.members = members;
    this.retryAfter = retryAfter ?? definition.retryAfter ?? null;
  }

  get definition(): ErrorDefinition {
    return (this.constructor as unknown as NamedError).definition;
  }
}

/** An expected error as another thread can take it. */
export interface ErrorFacts {
  code: string;
  detail: string;
  occurrence: Occurrence;
  fieldErrors: readonly FieldError[];
}

export function factsOf(error: DomainError): ErrorFacts {
  const { definition, message: detail, status, members, retryAfter, fieldErrors } = error;
  const occurrence = { status, members, ...(retryAfter !== null && { retryAfter }) };
  return { code: definition.code, detail, occurrence, fieldErrors };
}

/** The error of another thread. @returns null: it is none of these. */
export function errorOf(facts: ErrorFacts, errors: readonly NamedError[]): DomainError | null {
  const type = errors.find(({ definition }) => definition.code === facts.code);
  if (type === undefined) return null;
  // The constructors of the classes take what the occurrence was made from.
  const error = Reflect.construct(
    DomainError,
    [facts.detail, facts.occurrence],
    type as never,
  ) as DomainError;
  return Object.assign(error, { fieldErrors: facts.fieldErrors });
}

export class InvalidRequest extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_request',
    status: 400,
    title: 'The request is not valid',
    help: 'A parameter or a member of the body is missing, unknown or out of range. `errors` lists each one with a JSON pointer and a message that says what to send instead.',
  };
  /** @param detail for a body that has lines, in which a JSON pointer means nothing. */
  constructor(
    override readonly fieldErrors: readonly FieldError[],
    detail = fieldErrors.map(({ pointer, message }) => `${pointer || 'The body'}: ${message}`).join(' '),
  ) {
    super(detail);
  }
}

/** Also returned when the team or user of a key was erased while the key was still cached. */
export class InvalidCredential extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_credential',
    status: 401,
    title: 'The key is not valid',
    detail:
      'The key is malformed, unknown, revoked or expired. Send it in the header Authorization, after Bearer.',
    help: 'The key is malformed, unknown, revoked or expired, or its user has left the team. The response is the same in all these cases.',
  };
}

export class RoleRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'role_required',
    status: 403,
    title: 'Your role does not allow this',
    help: '`required_role` is the lowest role in the team that may do this; null: only the user who owns the key may.',
  };

  /** @param required null: no role is sufficient; the detail says who may. */
  constructor(required: Role | null, detail = `This requires the role ${required}.`) {
    super(detail, { members: { required_role: required } });
  }
}

export class ScopeRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'scope_required',
    status: 403,
    title: 'The key is limited and does not allow this',
    help: 'The key was created with `scopes` that do not include this route. `required_scope` is a scope that does; `all` means a key without limits. The limits of a key cannot be changed: create another key.',
  };

  /** @param accepted each is sufficient; none: only a key without limits is. */
  constructor(
    readonly accepted: readonly Scope[],
    detail = `This requires a key with the scope ${[...accepted, 'all'].join(' or ')}.`,
  ) {
    super(detail, { members: { required_scope: accepted[0] ?? 'all' } });
  }
}

export class AddressNotAllowed extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'address_not_allowed',
    status: 403,
    title: 'The key may not be used from this network',
    detail: 'The address of this client is in none of the networks that the key is limited to.',
    help: 'The key was created with `allowed_cidrs`, and the address of the client is in none of them. Behind a reverse proxy the operator sets `TRUST_PROXY`, so that the service sees the address of the client.',
  };
}

export class LiveKeyRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'live_key_required',
    status: 403,
    title: 'This requires a live key',
    detail: 'Test keys are not allowed here. Use a live key.',
    help: 'Test keys can read, verify, submit bulk jobs and manage test webhooks. Everything else requires a live key.',
  };
}

export class SecretKeyRequired extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'secret_key_required',
    status: 403,
    title: 'This requires a secret key',
    detail:
      'A publishable key can only verify single addresses, without refresh. Use a secret key, on a server.',
    help: 'A publishable key can only verify one address with `GET` or `POST /v1/verify`, without `refresh` and `emails`. Everything else requires a secret key, which must not stand in a page.',
  };
}

export class OriginNotAllowed extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'origin_not_allowed',
    status: 403,
    title: 'The request may not come from this origin',
    detail: 'The publishable key may not be used from this origin, or the request has none.',
    help: 'A publishable key can be used by scripts in pages of its `allowed_origins` only: the header `Origin` is missing or has another value. Programs use a secret key. `POST /mcp` takes no request from pages of another origin than that of `PUBLIC_URL`.',
  };
}

export class LimitReached extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'limit_reached',
    status: 409,
    title: 'The team has reached a limit',
    help: '`what` names the objects, `limit` is the maximum: of a team, or for you where `detail` says so. Delete some first.',
  };

  /** @param what the objects in the plural, in snake_case: `keys`, `pending_invites`. */
  constructor(
    what: string,
    limit: number,
    detail = `A team may have at most ${limit} ${what.replaceAll('_', ' ')}.`,
  ) {
    super(detail, { members: { limit, what } });
  }
}

/** The request rate is too high. A daily quota that is used up is `DailyQuotaExceeded`. */
export class RateLimited extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    help: 'Reduce the request rate. `Retry-After` says when to send the next request.',
  };
  /**
   * @param retryAfter seconds until the next request is allowed; the header is at least 1.
   * @param limit which limit is reached, as a sentence.
   */
  constructor(retryAfter: number, limit?: string) {
    super(limit, { retryAfter });
  }
}

/** The object does not exist or belongs to another team. Both cases give the same response. */
export class NotFound extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'not_found',
    status: 404,
    title: 'Not found',
    help: 'No route has this path, or the object does not exist or belongs to another team.',
  };
}
