import fc from 'fast-check';
import type { Draft } from './openapi-fuzz.js';

/** Mutations of a valid request. */
export const MUTATIONS = {
  'a member of another type': (draft) =>
    withMember(draft, fc.constantFrom<unknown>(7, -1.5, true, null, [], {}, [[]], 'text', { $ne: null })),
  'a member that is missing': (draft) =>
    memberOf(draft).map((name) => withBody(draft, without(membersOf(draft), name))),
  'a member that is not known': (draft) =>
    fc
      .constantFrom('id', 'team_id', 'role', 'tier', 'toString', '', 'a/b~c', '__proto__', '\u0000')
      .map((name) => rawJson(draft, `{"${JSON.stringify(name).slice(1, -1)}":1}`)),
  'a member of odd text': (draft) => withMember(draft, fc.constantFrom(...ODD_TEXTS)),
  'a body that is no JSON': (draft) =>
    fc
      .constantFrom(
        '',
        ' ',
        '{',
        'null',
        '[]',
        '"text"',
        '0',
        'NaN',
        '{"a":1,}',
        "{'a':1}",
        '\uFEFF{}',
        '{}{}',
      )
      .map((text) => rawJson(draft, text)),
  'a body of any JSON': (draft) => fc.json({ maxDepth: 4 }).map((text) => rawJson(draft, text)),
  'a body of any bytes': (draft) =>
    fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ ...rawJson(draft, ''), rawBody: Buffer.from(bytes) })),
  'a body that nests too deep': (draft) =>
    fc.constantFrom(9, 5_000).map((depth) => rawJson(draft, '['.repeat(depth) + ']'.repeat(depth))),
  'a body that is too large': (draft) =>
    fc
      .constantFrom(100_001, 1_500_000)
      .map((size) => rawJson(draft, JSON.stringify({ name: 'x'.repeat(size) }))),
  'a content type that is another': (draft) =>
    fc.constantFrom(...ODD_TYPES).map((type) => withHeader(draft, 'content-type', type)),
  'a content coding': (draft) =>
    fc.constantFrom('gzip', 'br', 'x-none').map((coding) => withHeader(draft, 'content-encoding', coding)),
  'a path of odd text': (draft) =>
    fc
      .constantFrom(...ODD_TEXTS, '..', '../..', '.', ' ', 'a/b')
      .map((text) => ({ ...draft, params: mapValues(draft.params, () => text) })),
  'a path that is not encoded': (draft) =>
    fc
      .constantFrom('%', '%zz', '%ff', '%c0%ae', '%00', '%u0041', '\u00e9', ';a=b', '//', '%2f..%2f')
      .map((rawPath) => ({ ...draft, rawPath })),
  'a parameter that is not known': (draft) =>
    fc
      .constantFrom('limt', '__proto__', 'constructor', 'email[]', 'limit[$gt]', '')
      .map((name) => ({ ...draft, query: [...draft.query, [name, '1']] })),
  'a parameter that is there twice': (draft) =>
    fc.constantFrom('email', 'limit', 'cursor', 'refresh', 'days', 'status').map((name) => ({
      ...draft,
      query: [...draft.query, [name, '1'], [name, '2']],
    })),
  'a parameter of odd text': (draft) =>
    fc
      .tuple(
        fc.constantFrom('email', 'limit', 'cursor', 'timeout', 'days', 'status'),
        fc.constantFrom(...ODD_TEXTS),
      )
      .map(([name, value]) => ({
        ...draft,
        query: [...draft.query.filter(([other]) => other !== name), [name, value]],
      })),
  'a query that is not encoded': (draft) =>
    fc
      .constantFrom('%', 'email=%ff', '&&==&', 'limit=%zz', '?', '\u00ff')
      .map((rawQuery) => ({ ...draft, rawQuery })),
  'a credential that is none': (draft) =>
    fc
      .constantFrom(
        '',
        'Bearer',
        'Bearer ',
        'Basic YTpi',
        'Bearer a b',
        `Bearer rcpt_live_${'a'.repeat(38)}`,
        '\u00ff',
      )
      .map((value) => withHeader(draft, 'authorization', value)),
  'a header of odd text': (draft) =>
    fc
      .tuple(
        fc.constantFrom(
          'idempotency-key',
          'accept',
          'x-request-id',
          'x-forwarded-for',
          'expect',
          'range',
          'if-match',
        ),
        fc.constantFrom('', '"', '*/*;q=x', ',,,', '\u00e9', 'x'.repeat(300), '"\\""', 'text/csv, */*'),
      )
      .map(([name, value]) => withHeader(draft, name, value)),
  'a method that is another': (draft) =>
    fc
      .constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'POST', 'PURGE', 'HEAD')
      .map((method) => ({ ...draft, method })),
} satisfies Record<string, (draft: Draft) => fc.Arbitrary<Draft>>;

export type Mutation = keyof typeof MUTATIONS;

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egro.elpmaxe',
  '\u{1F4A9}@\u{1F4A9}.example',
  'a\r\nSet-Cookie: b=1',
  "' OR 1=1 --",
  '%s%n${7*7}{{7*7}}',
  '../../etc/passwd',
  '-1',
  '1e9',
  '99999999999999999999',
  'null',
  'x'.repeat(5_000),
  'job_00000000000000000000000000',
];

const ODD_TYPES = [
  '',
  'text/plain',
  'text/csv',
  'application/x-ndjson',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;;',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '*/*',
];

function withHeader(draft: Draft, name: string, value: string): Draft {
  return { ...draft, headers: { ...draft.headers, [name]: value } };
}

function withBody(draft: Draft, body: unknown): Draft {
  return { ...withHeader(draft, 'content-type', 'application/json'), body };
}

function rawJson(draft: Draft, text: string): Draft {
  return { ...withHeader(draft, 'content-type', 'application/json'), rawBody: Buffer.from(text) };
}

function membersOf({ body }: Draft): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** The name of a body member, or a generated name. */
function memberOf(draft: Draft): fc.Arbitrary<string> {
  return fc.constantFrom(...Object.keys({ name: 1, ...membersOf(draft) }));
}

function withMember(draft: Draft, value: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> {
  return fc
    .tuple(memberOf(draft), value)
    .map(([name, odd]) => withBody(draft, { ...membersOf(draft), [name]: odd }));
}

function without(members: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
}

function mapValues<V>(record: Record<string, V>, to: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}
