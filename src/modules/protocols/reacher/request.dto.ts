import { InvalidRequest, type FieldError } from '../../../kernel/errors.js';
import { NumberParameter, OneOf } from '../../../platform/http/validation/fields.js';
import {
  isTooWide,
  MAX_FIELD_ERRORS,
  notAnObject,
  tooManyMembers,
  unknownMember,
} from '../../../platform/http/validation/validation-errors.js';

/** What the operator decides here, and what is not asked here. Names are sent back, so they are short. */
const IGNORED =
  /^(?:from_email|hello_name|proxy|smtp_port|smtp_timeout|smtp_security|retries|check_gravatar|haveibeenpwned_api_key|\w{1,30}_(?:verif_method|use_api|use_headless))$/;

/** The members that a body may have besides the addresses. */
export const OTHER_MEMBERS = new RegExp(`${IGNORED.source}|^webhook$`);

/** The header that names the members of a body that were ignored. */
export const IGNORED_HEADER = 'Rcpt-Ignored';

const MAX_ADDRESS_LENGTH = 1_000;
const ADDRESS: FieldError = {
  pointer: '/to_email',
  code: 'invalid_type',
  message: `Send one address of 1 to ${MAX_ADDRESS_LENGTH} characters, as in "to_email": "jane@example.com".`,
};

const NO_CALLS = 'Rcpt does not send each result to a URL.';
/** What to use instead of a webhook of a request. */
export const EVENTS = {
  single:
    'The response has the result; the event verification.completed tells of an address that is verified again later.',
  bulk: 'Add a webhook for the event bulk_job.completed (POST /v1/webhooks), and read the results when it arrives.',
};

/** The address of a single call, and the names of members that are ignored. @throws InvalidRequest */
export function checkRequestIn(body: unknown): { email: string; ignored: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidRequest([notAnObject()]);
  // Their names are sent back in one header.
  if (isTooWide(body)) throw new InvalidRequest([tooManyMembers()]);
  const { to_email: email, ...others } = body as Record<string, unknown>;
  const unknown = Object.keys(others).filter((name) => !OTHER_MEMBERS.test(name));
  const isAddress = typeof email === 'string' && email.length > 0 && email.length <= MAX_ADDRESS_LENGTH;
  const errors = [...(isAddress ? [] : [ADDRESS]), ...unknown.map((name) => unknownMember([name]))];
  if (errors.length > 0) throw new InvalidRequest(errors.slice(0, MAX_FIELD_ERRORS));
  return { email: email as string, ignored: ignoredIn(others, EVENTS.single) };
}

/**
 * The names of the members that are ignored. A program that waits for its webhook must not believe that it comes.
 *
 * @param instead what to do instead. @throws InvalidRequest
 */
export function ignoredIn(others: Readonly<Record<string, unknown>>, instead: string): string[] {
  const { webhook = null } = others;
  const { on_each_email: each = null } = Object(webhook) as { on_each_email?: unknown };
  if (each !== null || (webhook !== null && typeof webhook !== 'object')) {
    const message = `${NO_CALLS} ${instead}`;
    throw new InvalidRequest(
      [{ pointer: '/webhook/on_each_email', code: 'invalid_value', message }],
      message,
    );
  }
  return Object.keys(others).filter((name) => IGNORED.test(name) && (others[name] ?? null) !== null);
}

const FORMATS = ['json', 'csv'] as const;

/** The rows of a list that is completed. */
export class ReacherResultsQuery {
  @NumberParameter({ min: 1, max: 1_000_000, default: 50 })
  limit = 50;

  @NumberParameter({ min: 0, max: 999_999_999, default: 0 })
  offset = 0;

  @OneOf(FORMATS, { default: 'json' })
  format: (typeof FORMATS)[number] = 'json';
}
