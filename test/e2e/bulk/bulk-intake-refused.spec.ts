import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import { anApp, type TestApp } from '../../support/app/app.js';
import { sendList } from '../../support/app/bulk.js';
import { aWorkbook } from '../../support/browser/workbook.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

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
      /no column contains addresses in most cells\. The first line has: 1 "name", 2 "city"\. Name one with email_column\.$/,
    ],
    [
      'two columns with addresses',
      'from,to\na@x.com,b@x.com\n',
      '',
      /several columns contain.*1 "from", 2 "to"/,
    ],
    [
      'a column that is not there',
      'a,email\n1,a@x.com\n',
      '?email_column=to',
      /named "to".*1 "a", 2 "email"/,
    ],
    ['a number without a column', 'a,email\n1,a@x.com\n', '?email_column=3', /named "3".*2 "email"/],
    [
      'Windows-1252 after UTF-8',
      Buffer.concat([Buffer.from('Name,Email\nZoë,a@example.com\nZo'), Buffer.from('eb2c610a', 'hex')]),
      '',
      /^Line 3 is not UTF-8, .* name its encoding with encoding\.$/,
    ],
    [
      'long other columns',
      `email,id,notes\na@x.com,1,x\nb@x.com,2,${'x'.repeat(17_000)}\n`,
      '',
      /^Line 3: The other columns of a row may have at most 16384 bytes together\. They have 17001, most of them in "notes"\.$/,
    ],
    [
      'a row without end',
      `email,x\na@x.com,"1\r\n2"\r\n"${'x'.repeat(200_000)}`,
      '',
      /^Line 4: A row may have at most 32768 bytes\. A quote that is not closed/,
    ],
    ['an open quote', 'email\na@x.com\n\n"b@example.com\n', '', /^Line 4: A quote is not closed/],
    ['too many cells', `email\na@x.com${','.repeat(1_000)}x\n`, '', /^Line 2: A row may have at most 1000/],
    ['a text of NULs', Buffer.from('ff00ff00ff00ff', 'hex'), '', /not a text\. Save the list/],
  ])('that is a CSV with %s is 400 with a sentence', async (_, body, query, words) => {
    const problem = expectProblem(await send(body, CSV, query), 400, 'malformed_list');
    expect((problem as { detail?: string }).detail).toMatch(words);
  });

  it.each([
    ['no list', '{"name":"x"}', '/emails', 'too_small'],
    ['an empty list', '{"emails":[]}', '/emails', 'too_small'],
    ['a list that is none', '{"emails":"a@example.com"}', '/emails', 'invalid_type'],
    ['a list that is an object', '{"emails":{"0":"a@example.com"}}', '/emails', 'invalid_type'],
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
  ])('with %s as %s is 400 with a pointer, and names the line', async (_, type, body, pointer, code) => {
    const problem = expectProblem(await send(body, type), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([`${pointer} ${code}`]);
    expect((problem as { detail?: string }).detail).toMatch(
      pointer === '/emails' ? /^Send at least one address\.$/ : /^Line [12](, mail)?: [A-Z]/,
    );
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

  it.each(['text/plain', 'application/xml', ''])('of type "%s" is 415', async (type) => {
    expectProblem(await send('email\na@example.com', type), 415, 'unsupported_media_type');
  });

  it.each(['ebcdic', 'utf-7', 'cp437', '%00'])(
    'in the charset %s is 415 with those that are known',
    async (charset) => {
      const answer = await send('email\na@example.com', `text/csv; charset=${charset}`);
      const problem = expectProblem(answer, 415, 'unknown_charset');
      expect(problem.detail).toContain('utf-8, utf-16le, utf-16be, windows-874, windows-1250');
    },
  );

  it.each([
    [
      'an Excel workbook',
      aWorkbook([['email'], ['a@example.com']]),
      /Excel workbook\. Save it as "CSV UTF-8"/,
    ],
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      /old format \(\.xls\), or one with a pass/,
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n'), /PDF document/],
    [
      'a ZIP archive',
      Buffer.from(zipSync({ 'list.csv': strToU8('email') })),
      /ZIP archive, or a workbook, .* Save a workbook as "CSV UTF-8"; unpack/,
    ],
    ['gzip data', gzipSync('email\na@example.com\n'), /Content-Encoding: gzip/],
  ])('that is %s is refused by its name, whatever its content type', async (_, body, words) => {
    const problem = expectProblem(await send(body, CSV), 400, 'malformed_list');
    expect(problem).toMatchObject({ detail: expect.stringMatching(words) });
  });

  it('of the content type of a workbook is 415 with what to do', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const problem = expectProblem(await send('PK', type), 415, 'unsupported_media_type');
    expect(problem).toMatchObject({ detail: expect.stringMatching(/upload it in the console/) });
  });

  it('that was refused leaves no data', async () => {
    const list = await app.get('/v1/bulk-jobs?limit=100', key);
    const jobs = (list.body as { data: { total: number }[] }).data;
    expect(jobs.filter(({ total }) => total === 0)).toEqual([]);
  });
});
