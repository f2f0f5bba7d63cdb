import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../support/app/app.js';
import { sendList } from '../support/app/bulk.js';
import { fieldErrorsOf, expectProblem } from '../support/http/problems.js';

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';

describe('a list', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).testKey;
  });
  afterAll(() => app.stop());

  const send = (body: string | Buffer, type: string, query = '') => sendList(app, key, body, type, { query });

  it.each([
    [
      'no column with addresses',
      'name,city\nJane,Bonn\n',
      '',
      /no column contains only addresses.*"name", "city"/,
    ],
    ['two columns with addresses', 'from,to\na@x.com,b@x.com\n', '', /several columns.*"from", "to"/],
    ['a column that is not there', 'a,email\n1,a@x.com\n', '?email_column=to', /named "to".*"a", "email"/],
    ['Latin-1', Buffer.from('Name,Email\nZoë,a@example.com\n', 'latin1'), '', /Convert it to UTF-8/],
  ])('that is a CSV with %s is 400 with a sentence', async (_, body, query, words) => {
    const problem = expectProblem(await send(body, CSV, query), 400, 'malformed_list');
    expect((problem as { detail?: string }).detail).toMatch(words);
  });

  it.each([
    ['no list', '{"name":"x"}', '/emails', 'too_small'],
    ['an empty list', '{"emails":[]}', '/emails', 'too_small'],
    ['a list that is none', '{"emails":"a@example.com"}', '/emails', 'invalid_type'],
    ['a list twice', '{"emails":["a"],"emails":["b"]}', '/emails', 'repeated'],
    ['no object', '["a@example.com"]', '', 'invalid_type'],
    ['a number', '{"emails":["a@example.com",7]}', '/emails/1', 'invalid_type'],
    ['null', '{"emails":[null]}', '/emails/0', 'invalid_type'],
    ['a list in the list', '{"emails":[["a"]]}', '/emails/0', 'invalid_type'],
    ['an entry without an address', '{"emails":["a",{"ref":"x"}]}', '/emails/1/email', 'invalid_type'],
    ['an address that is none', '{"emails":[{"email":{}}]}', '/emails/0/email', 'invalid_type'],
    ['a ref that is no text', '{"emails":[{"email":"a","ref":1}]}', '/emails/0/ref', 'invalid_type'],
    ['a long ref', `{"emails":[{"email":"a","ref":"${'x'.repeat(129)}"}]}`, '/emails/0/ref', 'invalid_type'],
    ['an unknown member', '{"emails":["a"],"callback":{"a":1}}', '/callback', 'unknown_member'],
    [
      'an unknown member of an entry',
      '{"emails":[{"email":"a","id":[1]}]}',
      '/emails/0/id',
      'unknown_member',
    ],
    ['a name that is none', '{"emails":["a"],"name":7}', '/name', 'invalid'],
    ['a long name', `{"emails":["a"],"name":"${'x'.repeat(101)}"}`, '/name', 'invalid'],
    ['a flag that is none', '{"emails":["a"],"refresh":"yes"}', '/refresh', 'invalid_type'],
    ['an entry without end', `{"emails":["a","${'x'.repeat(200_000)}"]}`, '/emails/1', 'too_big'],
  ])('with %s is 400 with a pointer', async (_, body, pointer, code) => {
    const problem = expectProblem(await send(body, JSON_TYPE), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([`${pointer} ${code}`]);
  });

  it.each([
    ['an empty list', NDJSON, '\n', '/emails', 'too_small'],
    ['a number', NDJSON, '"a"\n7\n', '/1', 'invalid_type'],
    ['an unknown member', NDJSON, '{"email":"a","mail":"b"}', '/0/mail', 'unknown_member'],
    ['an endless line', NDJSON, `"a"\n"${'x'.repeat(200_000)}`, '/1', 'too_big'],
    ['an empty list', CSV, 'email\n', '/emails', 'too_small'],
    ['too many cells', CSV, 'email\na@example.com,b\n', '/0', 'invalid'],
    ['a column twice', CSV, 'email,x,x\n', '/x', 'repeated'],
    ['large other columns', CSV, `email,x\na@example.com,${'x'.repeat(1_100)}\n`, '/0', 'too_big'],
    ['an endless row', CSV, `email\n"${'x'.repeat(200_000)}`, '/0', 'too_big'],
  ])('with %s as %s is 400 with a pointer', async (_, type, body, pointer, code) => {
    const problem = expectProblem(await send(body, type), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([`${pointer} ${code}`]);
  });

  it.each([
    ['nothing', JSON_TYPE, ''],
    ['half an object', JSON_TYPE, '{"emails":["a@example.com"]'],
    ['half a text', JSON_TYPE, '{"emails":["a@examp'],
    ['two objects', JSON_TYPE, '{"emails":["a"]}{"emails":["b"]}'],
    ['no JSON', JSON_TYPE, "{'emails':['a']}"],
    ['a comma too many', JSON_TYPE, '{"emails":["a",]}'],
    ['depth without end', JSON_TYPE, '['.repeat(100_000)],
    ['no UTF-8', JSON_TYPE, Buffer.from('7b22656d61696c73223a5b22ff225d7d', 'hex')],
    ['no JSON in a line', NDJSON, '"a"\na@example.com\n'],
    ['no UTF-8', NDJSON, Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', CSV, ''],
    ['no column with addresses', CSV, 'name\nJane\n'],
    ['an open quote', CSV, 'email\n"a@example.com\n'],
    ['no UTF-8', CSV, Buffer.from('656d61696c0aff0a', 'hex')],
  ])('that is %s (%s) is 400', async (what, type, body) => {
    const code = what.startsWith('depth') ? 'invalid_request' : 'malformed_list';
    expectProblem(await send(body, type), 400, code);
  });

  it.each([
    [
      JSON_TYPE,
      '{\n  "emails": [\n    "jösé@example.com",\n    \'a\'\n  ]\n}',
      /not JSON: see line 4, column 5\.$/,
    ],
    [JSON_TYPE, '{"emails":["a@example.com"]', /line 1, column 28\.$/],
    [JSON_TYPE, `{"emails":[${'"a@example.com",\n'.repeat(20_000)}]}`, /line 20001, column 1\.$/],
    [
      NDJSON,
      '"a@example.com"\n\n{"email":"b@example.com",}\n',
      /^Line 3 is not one JSON value: see column 26\./,
    ],
  ])('that is malformed %s says line and column', async (type, body, words) => {
    const problem = expectProblem(await send(body, type), 400, 'malformed_list');
    expect(problem).toMatchObject({ detail: expect.stringMatching(words) });
  });

  it.each(['text/plain', 'application/xml', 'text/csv; charset=utf-16', ''])(
    'of type "%s" is 415',
    async (type) => {
      expectProblem(await send('email\na@example.com', type), 415, 'unsupported_media_type');
    },
  );

  it('that was refused leaves no data', async () => {
    const list = await app.get('/v1/bulk-jobs?limit=100', key);
    const jobs = (list.body as { data: { total: number }[] }).data;
    expect(jobs.filter(({ total }) => total === 0)).toEqual([]);
  });
});
