import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';

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

  const taken = async (body: string | Buffer, type: string, query = '') => {
    const answer = await sendList(app, account.testKey, body, type, { query });
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
      'a column whose name has a space, as URLSearchParams writes it',
      'Mail,Work Email\nno,a@example.com\n',
      '?email_column=Work+Email',
      { Mail: 'no' },
    ],
    ['the number of the column', 'no,a@example.com\n', '?email_column=2', { column_1: 'no' }],
    [
      'a header that looks like a row',
      '2025,a@example.com\nno,a@example.com\n',
      '?header=true',
      { 2025: 'no' },
    ],
    ['two columns of one name', 'Name,email,Name\n1,a@example.com,2\n', '', { Name: '1', Name_2: '2' }],
    ['a row with surplus cells', 'id,email\n1,a@example.com,x\n', '', { id: '1', column_3: 'x' }],
    [
      'empty columns at the end',
      'email;name;;\na@example.com;x;;\n',
      '',
      { name: 'x', column_3: '', column_4: '' },
    ],
    [
      'two columns of addresses, one of them email',
      'cc,email\nb@x.com,a@example.com\n',
      '',
      { cc: 'b@x.com' },
    ],
  ])('may be a CSV with %s', async (_, body, query, ref) => {
    expect((await taken(body, CSV, query)).rows).toEqual([['a@example.com', ref]]);
  });

  it('may be a CSV in Windows-1252, or another encoding that the query names', async () => {
    const body = Buffer.from('Name,Email\nZo\xeb \x80,a@example.com\n', 'latin1');
    expect((await taken(body, CSV)).rows).toEqual([['a@example.com', { Name: 'Zoë €' }]]);
    const { rows } = await taken(body, CSV, '?encoding=iso-8859-15');
    expect(rows).toEqual([['a@example.com', { Name: 'Zoë \x80' }]]);
    const answer = await sendList(app, account.testKey, body, CSV, { query: '?encoding=latin-9' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/encoding' }] } });
  });

  it('may have a name of several words, as URLSearchParams writes it', async () => {
    const { job } = await taken('email\na@example.com\n', CSV, '?name=my+list+%2B+more');
    expect(job.name).toBe('my list + more');
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
      // Rows without an address.
      false,
      false,
      ...new Array<string>(5).fill('invalid_syntax'),
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
    // In a CSV, NULs at the ends of an address are those that pad a cell or a file.
    const sent = (email: string) => (what === 'CSV' ? email.replace(/^\0+|\0+$/g, '') : email);
    const emails = ['a\0b@example.com', '\0', 'jane@example.com\0', 'jane@exa\0mple.com', 'jane@example.com'];
    const { job, rows } = await taken(write(emails), type);
    const ref = (email: string) =>
      what === 'CSV' ? (JSON.parse(`{"__proto__":${JSON.stringify(email)}}`) as object) : email;
    expect(JSON.stringify(rows)).toBe(JSON.stringify(emails.map((email) => [sent(email), ref(email)])));
    await workOn(app);
    const results = await resultsOf(app, account.testKey, job.id);
    const statusOf = (email: string) => (sent(email).includes('\0') ? 'undeliverable' : 'deliverable');
    expect(results.map((row) => [row.email, row.status])).toEqual(
      emails.map((email) => [sent(email), sent(email) === '' ? null : statusOf(email)]),
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
});
