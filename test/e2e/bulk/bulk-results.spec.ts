import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { DataSource } from 'typeorm';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, resultsOf, verifyNext, workOn } from '../../support/app/bulk.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

describe('the results of a bulk job', () => {
  let app: TestApp;
  let account: NewAccount;
  let job: BulkJobResponse;
  /** A tenth is undeliverable, and some of the others occur twice. */
  const listOf = (rows: number) =>
    Array.from({ length: rows }, (_, i) =>
      i % 10 === 0 ? `jane+mailbox_not_found@d${i}.example` : `jane${i % (rows - 1_000)}@example.com`,
    );
  const emails = listOf(2_500);
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    job = await aBulkJob(app, account.testKey, emails);
    await workOn(app);
  });
  afterAll(() => app.stop());

  const results = (query = '', accept = 'application/json', id = job.id) =>
    app
      .get(`/v1/bulk-jobs/${id}/results${query}`, account.testKey)
      .set('Accept', accept)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(null, text));
      });

  const csvOf = async (body: string, query = '', delimiter = ',') => {
    const answer = await fetch(`${app.url}/v1/verify/bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.testKey}`, 'Content-Type': 'text/csv' },
      body,
    });
    const { id } = (await answer.json()) as { id: string };
    await workOn(app);
    const csv = (await results(query, 'text/csv', id)).body as string;
    return { id, rows: parse<Record<string, string>>(csv, { columns: true, delimiter }) };
  };

  it('are returned in pages, complete and in input order', async () => {
    const rows = await resultsOf(app, account.testKey, job.id);
    expect(rows.map(({ email }) => email)).toEqual(emails);
    expect(rows.map(({ index }) => index)).toEqual(emails.map((_, index) => index));
  });

  it('can be filtered by status and by reason', async () => {
    const refused = await resultsOf(app, account.testKey, job.id, '&status=undeliverable');
    expect(refused.map(({ index }) => index)).toEqual(emails.map((_, i) => i).filter((i) => i % 10 === 0));
    expect(await resultsOf(app, account.testKey, job.id, '&reason=mailbox_not_found')).toHaveLength(250);
    expect(await resultsOf(app, account.testKey, job.id, '&reason=mailbox_not_found&status=risky')).toEqual(
      [],
    );
  });

  it('with a filter match those without, including duplicates, also while the job runs', async () => {
    // Three chunks of a test key.
    const running = await aBulkJob(app, account.testKey, listOf(6_000));
    await verifyNext(app);
    expect(await jobOf(app, account.testKey, running.id)).toMatchObject({ status: 'running' });
    for (const id of [running.id, job.id])
      for (const status of ['deliverable', 'undeliverable', 'risky']) {
        const all = await resultsOf(app, account.testKey, id);
        const found = await resultsOf(app, account.testKey, id, `&status=${status}`);
        expect(found).toEqual(all.filter((row) => row.status === status));
      }
    await workOn(app);
  });

  it('refuse a cursor of other filters, of another job, and a modified one', async () => {
    const first = (await app.get(`/v1/bulk-jobs/${job.id}/results`, account.testKey)).body as {
      next_cursor: string;
    };
    const other = await aBulkJob(app, account.testKey, ['a@example.com']);
    for (const path of [
      `${job.id}/results?status=risky&cursor=${first.next_cursor}`,
      `${other.id}/results?cursor=${first.next_cursor}`,
      `${job.id}/results?cursor=x${first.next_cursor}`,
    ])
      expectProblem(await app.get(`/v1/bulk-jobs/${path}`, account.testKey), 400, 'invalid_cursor');
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['status=good', '/status'],
    ['reason=none', '/reason'],
    ['q=', '/q'],
    [`q=${'a'.repeat(255)}`, '/q'],
    ['q=a%00', '/q'],
    ['q=a&q=b', '/q'],
    ['page=2', '/page'],
  ])('refuse %s', async (query, pointer) => {
    const problem = expectProblem(
      await app.get(`/v1/bulk-jobs/${job.id}/results?${query}`, account.testKey),
      400,
      'invalid_request',
    );
    expect(fieldErrorsOf(problem)[0]).toContain(pointer);
  });

  it('are streamed completely as NDJSON', async () => {
    const answer = await results('', 'application/x-ndjson');
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = (answer.body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string });
    expect(lines.map(({ email }) => email)).toEqual(emails);
  });

  it('are streamed completely as CSV, also with a filter', async () => {
    const answer = await results('?status=undeliverable', 'text/csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = parse<Record<string, string>>(answer.body as string, { columns: true });
    expect(rows).toHaveLength(250);
    expect(rows[1]).toMatchObject({
      index: '10',
      email: 'jane+mailbox_not_found@d10.example',
      status: 'undeliverable',
      reason: 'mailbox_not_found',
      score: '0',
      decision: 'reject',
    });
  });

  it('abort the stream when they are deleted, so that a partial list does not look complete', async () => {
    const doomed = await aBulkJob(app, account.testKey, emails);
    await workOn(app);
    const erase = `DELETE FROM bulk_rows WHERE idx >= 2000 AND list = (SELECT max(list) FROM bulk_jobs)`;
    await app.service.app.get(DataSource).query(erase);
    const headers = { Authorization: `Bearer ${account.testKey}`, Accept: 'application/x-ndjson' };
    const answer = await fetch(`${app.url}/v1/bulk-jobs/${doomed.id}/results`, { headers });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('return a CSV with its own columns in order, and rename those that collide with verdict columns', async () => {
    const { rows } = await csvOf('id,Email,status\n1,jane@example.com,new\n2,joe@example.com,"a ""b"""\n');
    expect(Object.keys(rows[0] ?? {}).slice(0, 5)).toEqual([
      'id',
      'Email',
      'input_status',
      'status',
      'reason',
    ]);
    expect(rows).toMatchObject([
      { id: '1', Email: 'jane@example.com', input_status: 'new', status: 'deliverable' },
      { id: '2', Email: 'joe@example.com', input_status: 'a "b"', status: 'deliverable' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'a\0b', '\0', '€'])(
    'return a column named %j with all its cells',
    async (name) => {
      const body = `${name},email,x\n1,jane@example.com,NUL \0 here\n2,joe@example.com,\n`;
      const { id, rows } = await csvOf(body);
      expect(rows.map((row) => Object.entries(row).slice(0, 3))).toEqual([
        [
          [name, '1'],
          ['email', 'jane@example.com'],
          ['x', 'NUL \0 here'],
        ],
        [
          [name, '2'],
          ['email', 'joe@example.com'],
          ['x', ''],
        ],
      ]);
      const page = await results('?limit=1', 'application/json', id);
      expect(page.body).toContain(`"ref":{${JSON.stringify(name)}:"1","x":"NUL \\u0000 here"}`);
    },
  );

  it('contain no spreadsheet formulas, unless the client asks for cells as they are', async () => {
    const formulas = ['=1+1', '+A1', '-A1', '@SUM(A1)', '=cmd|x'];
    const body = `email,note\n${formulas.map((text) => `"${text}","${text}"`).join('\n')}\njane@example.com,\n`;
    const cells = async (query: string) =>
      (await csvOf(body, query)).rows.slice(0, -1).map(({ email, note }) => [email, note]);
    expect(await cells('')).toEqual(formulas.map((text) => [`'${text}`, `'${text}`]));
    expect(await cells('?formula_guard=false')).toEqual(formulas.map((text) => [text, text]));
  });

  it('return columns that no spreadsheet runs unchanged', async () => {
    const notes = ['+49 170 1234567', '-5.20', '-', '+1', '\tx', 'a=b'];
    const { rows } = await csvOf(
      `email,note\n${notes.map((text) => `a@example.com,"${text}"`).join('\n')}\n`,
    );
    expect(rows.map(({ note }) => note)).toEqual(notes);
  });

  it.each([
    [',', 'a;=1+1', `"a;'=1+1"`],
    [',', '\t=1+1', `"'\t'=1+1"`],
    [',', 'a; b', '"a; b"'],
    [';', 'a,"=1+1', `"a,'""=1+1"`],
    [';', '1,5', '"1,5"'],
    ['\t', 'a;=1+1', `"a;'=1+1"`],
  ])(
    'between %j contain no formula for a spreadsheet that splits %j otherwise',
    async (own, text, written) => {
      const body = `email${own}note\njane@example.com${own}"${text.replaceAll('"', '""')}"\n`;
      const { id } = await csvOf(body, '', own);
      const csv = (await results('', 'text/csv', id)).body as string;
      expect(csv).toContain(`\njane@example.com${own}${written}${own}deliverable${own}`);
      const plain = (await results('?formula_guard=false', 'text/csv', id)).body as string;
      expect(parse(plain, { delimiter: own })[1]?.[1]).toBe(text);
    },
  );

  it.each([
    [
      'Müller / ".exe"',
      `attachment; filename="M?ller _ _.exe_-results-TEST.csv"; filename*=UTF-8''M%C3%BCller%20_%20_.exe_-results-TEST.csv`,
    ],
    ['Spring', /^attachment; filename="?Spring-results-TEST\.csv"?$/],
    [null, /^attachment; filename="?job_\w+-results-TEST\.csv"?$/],
  ])(
    'of a test list %j are a file with its name, which says that it is a test',
    async (name, disposition) => {
      const { id } = await aBulkJob(app, account.testKey, ['jane@example.com'], { name });
      const { headers } = await results('', 'text/csv', id);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toEqual(
        typeof disposition === 'string' ? disposition : expect.stringMatching(disposition),
      );
      const lines = await results('', 'application/x-ndjson', id);
      expect(lines.headers['content-type']).toBe('application/x-ndjson');
      expect(lines.headers['content-disposition']).toMatch(/-results-TEST\.ndjson/);
      const page = await results('', 'application/json', id);
      expect(page.headers['content-disposition']).toBeUndefined();
    },
  );

  it('begin with a byte order mark if the list did, or if the client asks for one', async () => {
    const start = async (id: string, query: string) =>
      ((await results(query, 'text/csv', id)).body as string)[0];
    const plain = await csvOf('email\njane@example.com\n');
    const marked = await csvOf('\ufeffemail\njane@example.com\n', '?bom=false');
    expect(await start(plain.id, '')).toBe('e');
    expect(await start(plain.id, '?bom=true')).toBe('\ufeff');
    expect(await start(marked.id, '')).toBe('\ufeff');
    expect(await start(marked.id, '?bom=false')).toBe('e');
  });

  it.each([';', '\t', ','])('use the delimiter %j of the list', async (delimiter) => {
    const { rows } = await csvOf(`id${delimiter}email\n1${delimiter}jane@example.com\n`, '', delimiter);
    expect(rows).toMatchObject([{ id: '1', email: 'jane@example.com', status: 'deliverable' }]);
  });

  it('contain the reply, the rule that classified it, and the time of the recheck', async () => {
    const { rows } = await csvOf('email\nmailbox_not_found@example.com\njane@example.com\n');
    expect(rows).toMatchObject([{ smtp_text: 'User unknown', retry_after: '' }, { smtp_text: 'OK' }]);
    expect(rows[0]?.rule).toMatch(/./);
  });

  it('are JSON by default', async () => {
    for (const accept of ['*/*', 'text/html', 'application/json, text/csv;q=0.5'])
      expect((await results('?limit=1', accept)).headers['content-type']).toMatch(/^application\/json/);
  });

  it.each([
    ['application/json;q=0.5, text/csv', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.1, application/x-ndjson;q=0.9', 'application/x-ndjson'],
    ['text/csv;charset=utf-8', 'text/csv; charset=utf-8'],
  ])('have the type that the client prefers: %s', async (accept, type) => {
    expect((await results('?limit=1', accept)).headers['content-type']).toBe(type);
  });
});
