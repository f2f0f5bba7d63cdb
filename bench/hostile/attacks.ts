import { gzipSync } from 'node:zlib';
import { HOSTILE_MESSAGES } from '../../test/support/outcomes/hostile-messages.js';

/** What a hostile team sends. */
export interface Attack {
  path: string;
  type: string;
  body: Buffer;
  headers?: Readonly<Record<string, string>>;
}

const LIST = '/v1/verify/bulk?hold=true';
const OUTCOMES = '/v1/outcomes';
const CSV = 'text/csv';
const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';

const times = (text: string, count: number) => text.repeat(count);
const outcome = (email: string) => `{"email":${JSON.stringify(email)},"outcome":"delivered"}`;

/** Texts that are much more expensive for a reader which is not linear than for one that is. */
const CSVS: Readonly<Record<string, () => string>> = {
  '16,000 columns of one name': () => `email${times(',a', 16_000)}\na@example.com\n`,
  '990 columns of one name': () => `email${times(',a', 990)}\n${times('a@example.com\n', 100)}`,
  'cells of at signs': () => `email,x\na@example.com,1\n${times(`"${times('@ ', 16_000)}",2\n`, 8)}`,
  'addresses side by side': () => `email\n${times(`"${times('a@b ', 8_000)}"\n`, 50)}`,
  commas: () => times(',', 262_000),
  quotes: () => `email\n${times('"', 500_000)}`,
  'quotes and separators': () => `email,x\n${times('"a",";"|', 60_000)}`,
  'rows that grow': () => Array.from({ length: 900 }, (_, n) => `a@example.com${times(',x', n)}\n`).join(''),
  'empty rows': () => `email\n${times('\n', 1_000_000)}`,
  'one long cell': () => `email\n${times('a', 4_000_000)}`,
  'spaces around': () => `email\n${times(`${times(' ', 15_000)}x\n`, 100)}`,
  'invisible characters': () => `email\n${times(`${times('\u200b', 5_000)}a@example.com\n`, 100)}`,
};

const JSONS: Readonly<Record<string, () => string>> = {
  'nested 500,000 deep': () => `{"emails":${times('[', 500_000)}`,
  'an entry of members': () =>
    `{"emails":[{${Array.from({ length: 1_000 }, (_, n) => `"m${n}":1`).join()}}]}`,
  escapes: () => `{"emails":["${times('\\u0061', 500_000)}"]}`,
  'at signs': () => `{"emails":[${times(`"${times('@ ', 4_000)}",`, 100)}"a@example.com"]}`,
};

const OUTCOME_JSONS: Readonly<Record<string, () => string>> = {
  'objects without members': () => `{"outcomes":[${times('{},', 600_000)}{}]}`,
  numbers: () => `{"outcomes":[${times('1,', 900_000)}1]}`,
  members: () => `{${Array.from({ length: 150_000 }, (_, n) => `"m${n}":1`).join()}}`,
};

/** Requests of teams with a key. @param inbound the path of a source of events. */
export function attacks(inbound: string): Record<string, Attack> {
  const all: Record<string, Attack> = {};
  const add = (name: string, path: string, type: string, text: string | Buffer, headers = {}) =>
    (all[name] = { path, type, body: Buffer.from(text as string), headers });
  for (const [name, text] of Object.entries(CSVS)) {
    add(`list: ${name}`, LIST, CSV, text());
    add(`list with extract_address: ${name}`, `${LIST}&extract_address=true`, CSV, text());
    add(`outcomes: ${name}`, OUTCOMES, CSV, text());
  }
  for (const [name, text] of Object.entries(JSONS)) add(`JSON list: ${name}`, LIST, JSON_TYPE, text());
  add('NDJSON list: at signs', LIST, NDJSON, times(`${JSON.stringify(times('@ ', 4_000))}\n`, 600));
  add('NDJSON outcomes: at signs', OUTCOMES, NDJSON, times(`${outcome(times('@ ', 4_000))}\n`, 600));
  for (const [name, text] of Object.entries(OUTCOME_JSONS)) {
    add(`outcomes: ${name}`, OUTCOMES, JSON_TYPE, text());
    add(`events: ${name}`, inbound, JSON_TYPE, text().slice(0, 990_000));
  }
  add('events: nested', inbound, JSON_TYPE, times('[', 990_000));
  for (const [name, text] of Object.entries(HOSTILE_MESSAGES))
    add(`report: ${name}`, OUTCOMES, 'message/rfc822', text().slice(0, 4_900_000));
  add(
    'report: encoded words',
    OUTCOMES,
    'message/rfc822',
    `Subject: ${times('=?x?q?a?= ', 20_000)}\nX-Failed-Recipients: a@example.com\n\nNot delivered`,
  );
  add('list: a bomb', LIST, CSV, gzipSync(Buffer.alloc(50_000_000, 'a@example.com\n')), {
    'Content-Encoding': 'gzip',
  });
  add(
    'verify: members',
    '/v1/verify',
    JSON_TYPE,
    `{${Array.from({ length: 9_000 }, (_, n) => `"${n}":1`).join()}}`,
  );
  add('verify: emails', '/v1/verify', JSON_TYPE, `{"emails":[${times('"@",', 24_000)}"a"]}`);
  add('rules: patterns', '/v1/policy', JSON_TYPE, `{"rules":[${times('{"if":{}},', 9_000)}{}]}`);
  add(
    'MCP: nested',
    '/mcp',
    JSON_TYPE,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${times('{"a":', 15_000)}1`,
  );
  add('token: a form', '/oauth/token', 'application/x-www-form-urlencoded', times('a=%25&', 16_000));
  return all;
}

/** Requests without a body, from anybody. */
export const TARGETS = [
  `/livez?${times('a&', 4_000)}`,
  `/none?${times('a&', 4_000)}`,
  `/livez?a=${times('"+', 4_000)}`,
  `/%zz${times('%2f', 2_500)}`,
  times('/', 8_000),
];
