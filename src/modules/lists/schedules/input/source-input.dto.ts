import { InvalidRequest, type FieldError } from '../../../../kernel/errors.js';
import type { Alternative } from '../../../../platform/http/openapi/openapi-unions.js';
import {
  OneOf,
  RequestHeaders,
  Schema,
  Text,
  WholeNumbers,
} from '../../../../platform/http/validation/fields.js';
import { SOURCE_KINDS, type SourceKind } from '../domain/schedule.js';
import type { SentSource } from '../domain/sent-settings.js';

const MAX_URL_LENGTH = 2_048;
export const MAX_LISTS = 100;

export const EmailColumn = (options: { optional?: true; nullable?: true }) =>
  Text({
    ...options,
    min: 1,
    max: 200,
    message: 'Send the name or number of a column.',
    description:
      'Only of `url`: the column of a CSV with the addresses, by its name or its number from 1. null or absent: it is found.',
    example: 'Contact',
  });

const kindOf = (kind: SourceKind) => ({ kind: { type: 'string', enum: [kind] } });
/** The token is required only of a new schedule. */
const SOURCES: readonly Alternative[] = [
  {
    title: 'ScheduleUrlInput',
    required: [],
    optional: ['headers', 'email_column'],
    properties: kindOf('url'),
  },
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
      'Only of `url`: headers of the request, not sent to other hosts that it redirects to. Stored encrypted, and shown by their names. Absent in a change: they stay, where kind and host are the same.',
    example: { Authorization: 'Bearer 8f14e45f' },
  })
  headers?: Record<string, string>;

  @EmailColumn({ optional: true, nullable: true })
  email_column?: string | null;

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
      'Only of `listmonk`, and required there. Stored encrypted, and not shown. Absent in a change: it stays, where kind and host are the same.',
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

/** @param mayStay whether an absent secret means the one before. @throws InvalidRequest */
export function toSource(sent: ScheduleSourceInput, mayStay: boolean): SentSource {
  const { kind, url, headers, email_column, username, token, lists } = sent;
  const others =
    kind === 'url' ? { username, token, lists } : { headers, email_column: email_column ?? undefined };
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
      values: token === undefined ? null : { token },
    };
  return {
    source: { kind, url, headers: Object.keys(headers ?? {}), emailColumn: email_column ?? null },
    values: headers ?? (mayStay ? null : {}),
  };
}

const at = (name: string) => ({ pointer: `/source/${name}` });
