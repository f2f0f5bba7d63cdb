import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

const CSV = 'text/csv';

describe('a CSV', () => {
  let app: TestApp;
  let key: string;
  let live: string;
  beforeAll(async () => {
    app = await anApp();
    const account = await app.anAccount();
    key = account.testKey;
    live = account.liveKey;
  });
  afterAll(() => app.stop());

  const send = (body: string | Buffer, query = '') => sendList(app, key, body, CSV, { query });

  it.each<[string, string | Buffer, string, object]>([
    [
      'semicolons behind a title',
      'Kontakte 2026\r\nName;E-Mail;Ort\r\nAnna;anna@people.example;Bonn\r\n',
      '',
      { delimiter: ';', header: 2, column: 'E-Mail', encoding: 'utf-8' },
    ],
    [
      'no header',
      Buffer.from('Zo\xeb|anna@people.example\n', 'latin1'),
      '',
      { delimiter: '|', header: null, column: 'email', encoding: 'windows-1252' },
    ],
    [
      'options',
      'a:b:c\nNr:Mail:To\n1:x@people.example:anna@people.example\n',
      '?delimiter=%3A&header_line=2&email_column=to&encoding=iso-8859-15',
      { delimiter: ':', header: 2, column: 'To', encoding: 'iso-8859-15' },
    ],
    [
      'a tab that the query names',
      'a,b\temail\n1\tanna@people.example\n',
      '?delimiter=tab',
      { delimiter: '\t', header: 1, column: 'email' },
    ],
    [
      'UTF-16 without a byte order mark',
      Buffer.from('Name\tEmail\r\nAnna\tanna@people.example\r\n', 'utf16le'),
      '',
      { delimiter: '\t', header: 1, column: 'Email', encoding: 'utf-16le' },
    ],
    [
      'quotes that enclose nothing',
      'name,email\n"Anna,anna@people.example\n',
      '?quotes=false',
      { delimiter: ',', header: 1, column: 'email' },
    ],
  ])('says in its job how it was read: %s', async (_, body, query, format) => {
    const { status, body: job } = await send(body, query);
    expect([status, job]).toMatchObject([202, { format, total: 1 }]);
    const { id } = job as BulkJobResponse;
    expect((await app.get(`/v1/bulk-jobs/${id}`, key)).body).toMatchObject({ format });
    expect(await resultsOf(app, key, id)).toMatchObject([{ email: 'anna@people.example' }]);
  });

  it('has no other format than CSV in its job', async () => {
    const { body } = await sendList(app, key, '{"emails":["a@people.example"]}', 'application/json');
    expect(body).toMatchObject({ format: null, header: null });
  });

  it.each([
    [
      'a text in front',
      'email\nAnna anna@people.example\nBen Otto ben@people.example\nC D E c@people.example\n',
    ],
    ['names around addresses', 'email\nAnna <anna@people.example>\nBen <ben@people.example>\n'],
    ['the wrong column', 'Email,x\nyes,1\nno,2\n'],
    ['no address at all', 'mail\nanna\nben\ncem\n'],
    ['no cell', 'id,email\n1,\n2,\n3,\n'],
    ['one address in 50', `email\nanna@people.example\n${'Ben at people\n'.repeat(49)}`],
  ])('with %s is refused as a whole, and costs nothing', async (_, body) => {
    const usage = async (): Promise<unknown> => (await app.get('/v1/usage', live)).body;
    const before = await usage();
    const problem = expectProblem(await sendList(app, live, body, CSV), 400, 'malformed_list');
    const { detail } = problem as { detail?: string };
    expect(detail).toMatch(/delimiter/);
    expect(detail).toMatch(/email_column/);
    expect(await usage()).toEqual(before);
    const jobs = (await app.get('/v1/bulk-jobs', live)).body as { data: unknown[] };
    expect(jobs.data).toEqual([]);
  });

  it.each(['?email_column=email', '?delimiter=%3B'])(
    'is verified as it is if the query says where the addresses are: %s',
    async (query) => {
      const { status, body } = await send('email\nanna at people\nBen <ben@people.example>\n', query);
      expect(status).toBe(202);
      await workOn(app);
      const rows = await resultsOf(app, key, (body as BulkJobResponse).id);
      expect(rows).toMatchObject([
        { policy: { rule: 'syntax:no_at_sign' } },
        { policy: { rule: 'syntax:wrapped' }, did_you_mean: 'ben@people.example' },
      ]);
    },
  );

  it.each([
    ['half of the rows', 'email\nanna@people.example\nno address\nno address\nanna@people.example\n'],
    ['one row', 'email\nno address\n'],
    ['few rows with an address', `name,email\nAnna,anna@people.example\n${'Ben,\n'.repeat(200)}`],
  ])('is verified if the fault is that of its addresses: %s', async (_, body) => {
    expect((await send(body)).status).toBe(202);
  });

  it.each([
    ['?delimiter=ab', '/delimiter'],
    ['?delimiter=a', '/delimiter'],
    ['?delimiter=%22', '/delimiter'],
    ['?delimiter=', '/delimiter'],
    ['?header=maybe', '/header'],
    ['?header_line=10001', '/header_line'],
    ['?quotes=maybe', '/quotes'],
  ])('is refused with an option that is none: %s', async (query, pointer) => {
    expect(await send('email\nanna@people.example\n', query)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  it('names line and column of what it cannot read, and the way out', async () => {
    const open = await send('name,street,email\nA,"Main St,anna@people.example\nB,x,ben@people.example\n');
    expect(open).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          /^Line 2: A quote is not closed, in column 2 \("street"\)\. .*quotes=false/,
        ),
      },
    });
    const rows = 'A,"Main St,anna@people.example\nB,Bar 24",ben@people.example\n';
    const swallowed = await send(`name,street,email\nZ,y,z@people.example\n${rows}`);
    expect(swallowed).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          /^Line 3: A quote is not closed, in column 2.*rows behind it.*quotes=false/,
        ),
      },
    });
    const read = await send(`name,street,email\nZ,y,z@people.example\n${rows}`, '?quotes=false');
    expect(read.body).toMatchObject({ total: 3 });
    const long = await send(`name,note,email\nA,${'x'.repeat(40_000)},anna@people.example\n`);
    expect(long).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^Line 2: A row may have .*in column 2 \("note"\)/) },
    });
    const notes = await send('email,note\nanna@people.example,"one, two\nthree, four"\n');
    expect(notes).toMatchObject({ status: 202, body: { total: 1 } });
  });

  it('says in its job which lines of the file its rows have', async () => {
    const list =
      'Contacts 2026\n\nName,Mail\nA,a@people.example\n"B\nC",b@people.example\n\nD,d@people.example\n';
    const { body } = await send(list);
    const lines = [
      { index: 0, line: 4 },
      { index: 2, line: 8 },
    ];
    expect(body).toMatchObject({ total: 3, format: { header: 3, lines } });
    const { id } = body as BulkJobResponse;
    expect((await app.get(`/v1/bulk-jobs/${id}`, key)).body).toMatchObject({ format: { lines } });
    const json = await app.post('/v1/verify/bulk', key).send({ emails: ['a@people.example'] });
    expect(json.body).toMatchObject({ format: null });
  });

  it('has the rule of the verdict in its results', async () => {
    const { body } = await send('email\nno address\nanna@people.example\n');
    await workOn(app);
    const path = `/v1/bulk-jobs/${(body as BulkJobResponse).id}/results?columns=email,rule`;
    const { text } = await app.get(path, key).set('Accept', CSV);
    expect(text).toBe('email,rule\nno address,syntax:no_at_sign\nanna@people.example,recipient2xx.250\n');
  });
});
