import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../src/modules/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../src/modules/bulk/bulk.dto.js';
import { anApp, type TestApp } from '../support/app.js';
import { resultsOf, workOn } from '../support/bulk.js';
import { fieldErrorsOf, expectProblem } from '../support/problems.js';

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';

describe('a list', () => {
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
  });
  afterAll(() => app.stop());

  /** Sends the body unchanged. */
  const send = async (body: string | Buffer, type: string, query = '', more = {}) => {
    const answer = await fetch(`${app.url}/v1/verify/bulk${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.testKey}`, 'Content-Type': type, ...more },
      body: Buffer.from(body),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.json(),
    };
  };

  const taken = async (body: string | Buffer, type: string, query = '') => {
    const answer = await send(body, type, query);
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    const job = answer.body as BulkJobResponse;
    const rows = await resultsOf(app, account.testKey, job.id);
    return { job, rows: rows.map(({ email, ref }) => [email, ref]) };
  };

  it('may be JSON with members in any order', async () => {
    const body =
      '{"refresh":false, "emails":["a@example.com",{"ref":"x","email":"b@example.com"}],"name":null}';
    const { job, rows } = await taken(body, JSON_TYPE);
    expect(job).toMatchObject({ total: 2, name: null });
    expect(rows).toEqual([
      ['a@example.com', null],
      ['b@example.com', 'x'],
    ]);
  });

  it('may be CSV with other columns, quotes, a byte order mark and empty lines', async () => {
    const body =
      '\uFEFFName,Email,note\r\n"Doe, Jane",jane@example.com,"said ""hi"""\r\n\r\nJoe,joe@example.com\r\n';
    const { job, rows } = await taken(body, 'text/csv; charset=utf-8', '?name=Spring');
    expect(job.name).toBe('Spring');
    expect(rows).toEqual([
      ['jane@example.com', { Name: 'Doe, Jane', note: 'said "hi"' }],
      ['joe@example.com', { Name: 'Joe', note: '' }],
    ]);
  });

  it.each([
    ['semicolons', 'id;email\n1;a@example.com\n'],
    ['tabs', 'id\temail\n1\ta@example.com'],
  ])('may be CSV with %s', async (_, body) => {
    expect((await taken(body, CSV)).rows).toEqual([['a@example.com', { id: '1' }]]);
  });

  it.each([
    ['a column e-mail in any case', 'id;E-Mail\n1;a@example.com\n', '', { id: '1' }],
    ['a column mail', 'id,mail\n1,a@example.com\n', '', { id: '1' }],
    ['a column named otherwise', 'id,Contact\n1,a@example.com\n', '', { id: '1' }],
    ['no header', '1,a@example.com,x\n', '', { column_1: '1', column_3: 'x' }],
    ['the column named in the query', 'mail,to\nno,a@example.com\n', '?email_column=TO', { mail: 'no' }],
    [
      'two columns of addresses, one of them email',
      'cc,email\nb@x.com,a@example.com\n',
      '',
      { cc: 'b@x.com' },
    ],
  ])('may be a CSV with %s', async (_, body, query, ref) => {
    expect((await taken(body, CSV, query)).rows).toEqual([['a@example.com', ref]]);
  });

  it('may be a CSV of one column without a header, of any length', async () => {
    const emails = Array.from({ length: 2_500 }, (_, n) => `a${n}@example.com`);
    const { rows } = await taken(emails.join('\r\n'), CSV);
    expect(rows).toEqual(emails.map((email) => [email, null]));
  });

  it.each(['utf16le', 'utf16be'])('may be a CSV in %s with a byte order mark', async (encoding) => {
    const text = Buffer.from('\ufeffName\tEmail\r\nZoë\ta@example.com\r\n', 'utf16le');
    const { rows } = await taken(encoding === 'utf16be' ? text.swap16() : text, CSV);
    expect(rows).toEqual([['a@example.com', { Name: 'Zoë' }]]);
  });

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

  it('may be a CSV of one column', async () => {
    const { rows } = await taken('email\na@example.com\n"b@example.com"\n', CSV);
    expect(rows).toEqual([
      ['a@example.com', null],
      ['b@example.com', null],
    ]);
  });

  it('may be NDJSON of strings and objects, with and without a final line break', async () => {
    const { rows } = await taken(
      '"a@example.com"\n\n{"email":"b@example.com","ref":"2"}\r\n"c@example.com"',
      NDJSON,
    );
    expect(rows).toEqual([
      ['a@example.com', null],
      ['b@example.com', '2'],
      ['c@example.com', null],
    ]);
  });

  it('may contain texts that are no address, and returns them', async () => {
    const odd = [
      '',
      ' ',
      'a\u0000b@example.com',
      '\ud800@example.com',
      `${'x'.repeat(5_000)}@example.com`,
      '=1+1',
      '"\\',
      'häuser@exämple.com',
      "a'\t\n\\N@example.com",
    ];
    const { job, rows } = await taken(JSON.stringify({ emails: odd }), JSON_TYPE);
    expect(rows.map(([email]) => email)).toEqual([
      '',
      ' ',
      ...odd.slice(2, 4),
      'x'.repeat(1_000),
      ...odd.slice(5),
    ]);
    await workOn(app);
    const reasons = (await resultsOf(app, account.testKey, job.id)).map(
      (row) => 'reason' in row && row.reason,
    );
    expect(reasons).toEqual([
      ...new Array<string>(7).fill('invalid_syntax'),
      'accepted_email',
      'invalid_syntax',
    ]);
  });

  it.each([
    [
      'JSON',
      JSON_TYPE,
      (emails: string[]) => JSON.stringify({ emails: emails.map((email) => ({ email, ref: email })) }),
    ],
    [
      'NDJSON',
      NDJSON,
      (emails: string[]) => emails.map((email) => JSON.stringify({ email, ref: email })).join('\n'),
    ],
    [
      'CSV',
      CSV,
      (emails: string[]) => ['email,__proto__', ...emails.map((email) => `${email},${email}`)].join('\n'),
    ],
  ])('with NUL in addresses and refs is returned unchanged, as %s', async (what, type, write) => {
    const emails = ['a\0b@example.com', '\0', 'jane@example.com\0', 'jane@exa\0mple.com', 'jane@example.com'];
    const { job, rows } = await taken(write(emails), type);
    const ref = (email: string) =>
      what === 'CSV' ? (JSON.parse(`{"__proto__":${JSON.stringify(email)}}`) as object) : email;
    expect(JSON.stringify(rows)).toBe(JSON.stringify(emails.map((email) => [email, ref(email)])));
    await workOn(app);
    const results = await resultsOf(app, account.testKey, job.id);
    expect(results.map((row) => [row.email, row.status])).toEqual(
      emails.map((email) => [email, email.includes('\0') ? 'undeliverable' : 'deliverable']),
    );
  });

  it.each([
    ['JSON', JSON_TYPE, (emails: string[]) => JSON.stringify({ emails })],
    ['NDJSON', NDJSON, (emails: string[]) => emails.map((email) => JSON.stringify(email)).join('\n')],
    ['CSV', CSV, (emails: string[]) => ['email', ...emails.map((email) => `"${email}"`)].join('\n')],
  ])('as %s may have white space around addresses, which counts for nothing', async (_, type, write) => {
    const emails = [
      'jane@example.com',
      ' jane@example.com\t',
      '\u00a0jane@example.com\u3000',
      'jane@example.com\r\n',
    ];
    const { job, rows } = await taken(write(emails), type);
    expect(job).toMatchObject({ total: 4, unique: 1, duplicates: 3 });
    expect(rows.map(([email]) => email)).toEqual(emails);
    await workOn(app);
    expect(await resultsOf(app, account.testKey, job.id)).toMatchObject(
      emails.map((email) => ({ email, normalized_email: 'jane@example.com', status: 'deliverable' })),
    );
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

  it.each(['text/plain', 'application/xml', 'multipart/form-data', 'text/csv; charset=utf-16', ''])(
    'of type "%s" is 415',
    async (type) => {
      expectProblem(await send('email\na@example.com', type), 415, 'unsupported_media_type');
    },
  );

  it('with a content encoding is 415', async () => {
    const answer = await send('email\n', CSV, '', { 'Content-Encoding': 'gzip' });
    expectProblem(answer, 415, 'unsupported_media_type');
  });

  it('that was refused leaves no data', async () => {
    const list = await app.get('/v1/bulk-jobs?limit=100', account.testKey);
    const jobs = (list.body as { data: { total: number }[] }).data;
    expect(jobs.filter(({ total }) => total === 0)).toEqual([]);
  });
});
