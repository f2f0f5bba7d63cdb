import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { resultsOf, sendList } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

const CSV = 'text/csv';
const GZIP = { 'Content-Encoding': 'gzip' };
const FORM = 'multipart/form-data; boundary=b';

/** A form with these files. */
const formOf = (...files: { name: string; type: string; content: string }[]) =>
  `${files.map(({ name, type, content }) => `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`).join('')}--b--\r\n`;

describe('a list', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).testKey;
  });
  afterAll(() => app.stop());

  const send = (body: string | Buffer, type: string, headers = {}, query = '') =>
    sendList(app, key, body, type, { headers, query });

  async function emailsOf({ status, body }: { status: number; body: unknown }): Promise<string[]> {
    expect([status, body]).toEqual([202, expect.anything()]);
    const rows = await resultsOf(app, key, (body as BulkJobResponse).id);
    return rows.map(({ email }) => email);
  }
  const jobs = async () =>
    ((await app.get('/v1/bulk-jobs?limit=100', key)).body as { data: { total: number }[] }).data;

  it.each([
    ['CSV', CSV, 'id,email\n1,a@example.com\n'],
    ['JSON', 'application/json', '{"emails":["a@example.com"]}'],
    ['NDJSON', 'application/x-ndjson', '"a@example.com"\n'],
  ])('may be compressed with gzip, as %s', async (_, type, text) => {
    expect(await emailsOf(await send(gzipSync(text), type, GZIP))).toEqual(['a@example.com']);
  });

  it.each([
    ['text/csv; charset=utf8', 'utf8', ''],
    ['text/csv; utf-8', 'utf8', ''],
    ['text/csv;', 'utf8', ''],
    ['text/csv; header=present; charset="utf-8"', 'latin1', ''],
    ['text/csv; charset=us-ascii', 'utf8', ''],
    ['text/csv; charset=windows-1252', 'latin1', ''],
    ['text/csv; charset=ISO-8859-1', 'latin1', ''],
    ['text/csv; charset=cp1250', 'latin1', ''],
    ['text/csv; charset="utf-16"', 'utf16le', ''],
    ['text/csv; charset=utf-16be', 'utf16le', '?encoding=utf-16le'],
    ['text/csv; charset=shift_jis', 'latin1', '?encoding=windows-1252'],
    ['application/x-ndjson; charset=ebcdic', 'utf8', ''],
    ['application/json; charset=ebcdic', 'utf8', ''],
  ] as const)('of type %s is read in the encoding that it names (%s%s)', async (type, encoding, query) => {
    const text = type.includes('ndjson')
      ? '"jürgen@example.com"'
      : type.includes('json')
        ? '{"emails":["jürgen@example.com"]}'
        : 'email\njürgen@example.com\n';
    const sent = await send(Buffer.from(text, encoding), type, {}, query);
    expect(await emailsOf(sent)).toEqual(['jürgen@example.com']);
  });

  it.each([
    ['the content type', 'list', CSV, 'id;email\n1;a@example.com\n'],
    ['the extension', 'LIST.CSV', 'application/vnd.ms-excel', 'email\na@example.com\n'],
    [
      'the content type, against the extension',
      'list.csv',
      'application/json',
      '{"emails":["a@example.com"]}',
    ],
    ['the extension of NDJSON', 'list.ndjson', 'application/octet-stream', '"a@example.com"'],
  ])('may be the file of a form; %s names the format', async (_, name, type, content) => {
    expect(await emailsOf(await send(formOf({ name, type, content }), FORM))).toEqual(['a@example.com']);
  });

  it('may be the file of a form that clients make, with parameters in the query, and compressed', async () => {
    const form = new FormData();
    form.append('list', new Blob(['from,to\nx@example.com,a@example.com\n'], { type: CSV }), 'list.csv');
    const request = new Request(app.url, { method: 'POST', body: form });
    const bytes = Buffer.from(await request.arrayBuffer());
    const type = request.headers.get('content-type') ?? '';
    const answer = await send(gzipSync(bytes), type, GZIP, '?name=Spring&email_column=to');
    expect(answer.body).toMatchObject({ name: 'Spring', total: 1 });
    expect(await emailsOf(answer)).toEqual(['a@example.com']);
  });

  it.each([
    ['compressed', gzipSync('email\na@example.com\n'), CSV, GZIP],
    ['a form', formOf({ name: 'l.csv', type: CSV, content: 'email\na@example.com\n' }), FORM, {}],
  ])(
    'that is %s is accepted once under an idempotency key, by the bytes as sent',
    async (_, body, type, more) => {
      const headers = { ...more, 'Idempotency-Key': randomUUID() };
      const first = await send(body, type, headers);
      expect(first.status).toBe(202);
      const again = await send(body, type, headers);
      expect([again.status, again.body]).toEqual([202, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      const other =
        type === FORM ? `preamble${String(body)}` : gzipSync('email\na@example.com\n', { level: 0 });
      expectProblem(await send(other, type, headers), 422, 'idempotency_key_reused');
    },
  );

  it.each(['br', 'deflate', 'gzip, gzip', 'zstd'])('with the content coding %s is 415', async (coding) => {
    const answer = await send('email\n', CSV, { 'Content-Encoding': coding });
    const problem = expectProblem(answer, 415, 'unsupported_media_type');
    expect(problem).toMatchObject({ detail: expect.stringMatching(/Content-Encoding: gzip/) });
  });

  it.each([
    ['no gzip data', 'email\na@example.com\n', CSV, GZIP, 400, 'malformed_http'],
    [
      'incomplete gzip data',
      gzipSync('email\na@example.com\n').subarray(0, -4),
      CSV,
      GZIP,
      400,
      'malformed_http',
    ],
    ['a form without a boundary', 'x', 'multipart/form-data', {}, 400, 'malformed_http'],
    [
      'an incomplete form',
      formOf({ name: 'l.csv', type: CSV, content: 'email\na@x.com' }).slice(0, -9),
      FORM,
      {},
      400,
      'malformed_http',
    ],
    [
      'a form with two files',
      formOf(...['a', 'b'].map((name) => ({ name, type: CSV, content: 'email\na@x.com' }))),
      FORM,
      {},
      400,
      'invalid_request',
    ],
    ['a form without a file', '--b--\r\n', FORM, {}, 400, 'invalid_request'],
    [
      'a file of an unknown format',
      formOf({ name: 'l.docx', type: 'application/msword', content: 'PK' }),
      FORM,
      {},
      415,
      'unsupported_media_type',
    ],
  ] as const)('that is %s is refused, and leaves no data', async (_, body, type, headers, status, code) => {
    const before = (await jobs()).length;
    const answer = await send(body, type, headers);
    const problem = expectProblem(answer, status, code);
    expect(problem).toMatchObject({ detail: expect.stringMatching(/\S \S.*\.$|boundary=…$/) });
    expect(await jobs()).toHaveLength(before);
  });

  it('that is a workbook in a form is 415 with what to do', async () => {
    const file = { name: 'l.xlsx', type: 'application/octet-stream', content: 'PK' };
    const problem = expectProblem(await send(formOf(file), FORM), 415, 'unsupported_media_type');
    expect(problem).toMatchObject({
      detail: expect.stringMatching(/^This is an Excel workbook\. Save it as/),
    });
  });

  it('counts against the limit of the tier when it is decompressed', async () => {
    const { testKey } = await app.anAccount('starter');
    const rows = gzipSync(
      `email\n${Array.from({ length: 400_000 }, (_, n) => `a${n}@example.com\n`).join('')}`,
    );
    expect(rows.length).toBeLessThan(5_120_000);
    const answer = await sendList(app, testKey, rows, CSV, { headers: GZIP });
    expectProblem(answer, 413, 'bulk_too_large');
    const bomb = await sendList(app, testKey, gzipSync(Buffer.alloc(20_000_000, '\n')), CSV, {
      headers: GZIP,
    });
    expectProblem(bomb, 413, 'payload_too_large');
  });

  it('is not read before the key is checked', async () => {
    const answer = await sendList(app, 'rcpt_test_none', 'no gzip', CSV, { headers: GZIP });
    expectProblem(answer, 401, 'invalid_credential');
  });
});
