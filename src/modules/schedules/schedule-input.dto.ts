import { InvalidRequest, type FieldError } from '../../kernel/errors.js';
import type { Alternative } from '../../platform/http/openapi/openapi-unions.js';
import {
  DisplayName,
  Flag,
  ObjectOf,
  OneOf,
  RequestHeaders,
  Schema,
  SchemaWithAny,
  Text,
  WholeNumber,
  WholeNumbers,
} from '../../platform/http/validation/fields.js';
import { INTERVALS, type Interval } from './domain/next-run.js';
import { LISTMONK_ACTIONS, SOURCE_KINDS, type ListmonkAction, type SourceKind } from './domain/schedule.js';
import type { NewSchedule, ScheduleChanges, SentSource } from './schedules.service.js';

const MAX_URL_LENGTH = 2_048;
export const MAX_LISTS = 100;
export const DEFAULT_MAX_AGE_DAYS = 30;

export const Every = (options: { optional?: true } = {}) =>
  OneOf(INTERVALS, {
    ...options,
    description:
      '`week`: on the day of the week of `created_at`; `month`: on its day of the month, in a shorter month on the last day. In UTC.',
    example: 'day',
  });

const At = (options: { optional?: true; default?: number } = {}) =>
  WholeNumber({ ...options, min: 0, max: 23, message: 'Send an hour in UTC, from 0 to 23.', example: 3 });

const MaxAgeDays = (options: { optional?: true; default?: number } = {}) =>
  WholeNumber({
    ...options,
    min: 1,
    max: 365,
    message: 'Send days, from 1 to 365.',
    description:
      'Rows whose address was verified in these days are not verified again, and cost nothing. What is charged is not older.',
    example: DEFAULT_MAX_AGE_DAYS,
  });

const kindOf = (kind: SourceKind) => ({ kind: { type: 'string', enum: [kind] } });
/** The token is required only of a new schedule. */
const SOURCES: readonly Alternative[] = [
  { title: 'ScheduleUrlInput', required: [], optional: ['headers'], properties: kindOf('url') },
  {
    title: 'ScheduleListmonkInput',
    required: ['username', 'lists'],
    optional: ['token'],
    properties: kindOf('listmonk'),
  },
];

@Schema('ScheduleSourceInput', { oneOf: SOURCES })
export class ScheduleSourceInput {
  @OneOf(SOURCE_KINDS, { example: 'url' })
  kind: SourceKind;

  @Text({
    max: MAX_URL_LENGTH,
    message: 'Send a URL, such as https://example.com/subscribers.csv.',
    tooLong: `A URL has at most ${MAX_URL_LENGTH} characters.`,
    format: 'uri',
    pattern: '^https?://',
    description:
      'Of a file in CSV or NDJSON of at most 512 MB, or of listmonk: https, on the public Internet, port 80, 443 or from 1024.',
    example: 'https://example.com/subscribers.csv',
  })
  url: string;

  @RequestHeaders({
    optional: true,
    description:
      'Only of `url`: headers of the request, not sent to other hosts that it redirects to. Stored encrypted, and shown by their names. Absent in a change: they stay, where the host is the same.',
    example: { Authorization: 'Bearer 8f14e45f' },
  })
  headers?: Record<string, string>;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    message: 'Send the name of the API user.',
    description: 'Only of `listmonk`, and required there.',
    example: 'rcpt',
  })
  username?: string;

  @Text({
    optional: true,
    min: 1,
    max: 1_000,
    message: 'Send the token of the API user.',
    description:
      'Only of `listmonk`, and required there. Stored encrypted, and not shown. Absent in a change: it stays, where the host is the same.',
    example: '5aXVnHVAn2tZc1Tj',
  })
  token?: string;

  @WholeNumbers({
    optional: true,
    min: 1,
    max: 2_147_483_647,
    maxItems: MAX_LISTS,
    message: `Send the ids of 1 to ${MAX_LISTS} lists.`,
    description:
      'Only of `listmonk`, and required there: the ids of the lists whose subscribers are verified.',
    example: [1],
  })
  lists?: number[];
}

@Schema('ScheduleOnResult')
export class ScheduleOnResult {
  @OneOf(LISTMONK_ACTIONS, {
    description:
      '`blocklist_undeliverable`: subscribers whose address is `undeliverable` are blocklisted; `attributes`: the result becomes the attribute `rcpt` of the subscriber, and all others stay, unless listmonk would send the subscriber a mail for it. Nobody is deleted.',
    example: 'none',
  })
  listmonk: ListmonkAction;
}

@Schema('ScheduleCreate')
export class ScheduleCreate {
  @DisplayName({ example: 'Newsletter' })
  name: string;

  @Every()
  every: Interval;

  @At({ default: 3 })
  at = 3;

  @ObjectOf(() => ScheduleSourceInput)
  source: ScheduleSourceInput;

  @MaxAgeDays({ default: DEFAULT_MAX_AGE_DAYS })
  max_age_days = DEFAULT_MAX_AGE_DAYS;

  @ObjectOf(() => ScheduleOnResult, { optional: true, description: 'Absent: nothing is written.' })
  on_result?: ScheduleOnResult;

  @Flag({ default: true, description: 'Whether it runs at its times.' })
  enabled = true;
}

@SchemaWithAny('ScheduleUpdate', ['name', 'every', 'at', 'source', 'max_age_days', 'on_result', 'enabled'])
export class ScheduleUpdate {
  @DisplayName({ optional: true, example: 'Newsletter' })
  name?: string;

  @Every({ optional: true })
  every?: Interval;

  @At({ optional: true })
  at?: number;

  @ObjectOf(() => ScheduleSourceInput, { optional: true })
  source?: ScheduleSourceInput;

  @MaxAgeDays({ optional: true })
  max_age_days?: number;

  @ObjectOf(() => ScheduleOnResult, { optional: true })
  on_result?: ScheduleOnResult;

  @Flag({ optional: true, description: 'true, where it was false: failures are counted from zero.' })
  enabled?: boolean;
}

/** @throws InvalidRequest */
export function toNewSchedule(body: ScheduleCreate): NewSchedule {
  const { name, every, at, source, max_age_days: maxAgeDays, on_result: onResult, enabled } = body;
  const settings = {
    name,
    every,
    atHour: at,
    maxAgeDays,
    onResult: onResult?.listmonk ?? 'none',
    enabled,
  } as const;
  return { ...settings, source: toSource(source, false) };
}

/** @throws InvalidRequest */
export function toChanges(body: ScheduleUpdate): ScheduleChanges {
  const { name, every, at: atHour, max_age_days: maxAgeDays, on_result, enabled } = body;
  const onResult = on_result?.listmonk;
  const source = body.source && toSource(body.source, true);
  const changes = { name, every, atHour, maxAgeDays, onResult, enabled, source };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** @param mayStay whether an absent secret means the one before. */
function toSource(sent: ScheduleSourceInput, mayStay: boolean): SentSource {
  const { kind, url, headers, username, token, lists } = sent;
  const others = kind === 'url' ? { username, token, lists } : { headers };
  const needed = kind === 'url' ? {} : { username, lists, ...(mayStay ? {} : { token }) };
  const errors: FieldError[] = [
    ...Object.entries(others)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => ({
        ...at(name),
        code: 'invalid_value',
        message: `Omit it: a source of the kind ${kind} has none.`,
      })),
    ...Object.entries(needed)
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({
        ...at(name),
        code: 'invalid_type',
        message: 'Send it: listmonk needs username, token and lists.',
      })),
  ];
  if (errors.length > 0) throw new InvalidRequest(errors);
  if (kind === 'listmonk')
    return {
      source: { kind, url, username: username ?? '', lists: lists ?? [] },
      secret: token === undefined ? null : { token },
    };
  return {
    source: { kind, url, headers: Object.keys(headers ?? {}) },
    secret: headers ?? (mayStay ? null : {}),
  };
}

const at = (name: string) => ({ pointer: `/source/${name}` });
