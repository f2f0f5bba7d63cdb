import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, sendList, workOn } from '../../support/app/bulk.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { workbook } from '../../../src/platform/http/downloads/workbook.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HOSTILE = "=cmd|' /C calc'!A0 <b>&amp;</b> \u0000\u001b _x0041_ Köln 🙂";

describe('the columns and the format of results', () => {
  let app: TestApp;
  let key: string;
  let csv: string;
  let json: string;
  beforeAll(async () => {
    app = await anApp();
    key = (await app.anAccount()).testKey;
    const list = `Name,E-Mail,status\n"${HOSTILE.replace('\u0000', '')}",jane@example.com,new\nJoe,mailbox_not_found@example.com,\n`;
    csv = ((await sendList(app, key, list, 'text/csv')).body as { id: string }).id;
    json = (await aBulkJob(app, key, [{ email: 'jane@example.com', ref: HOSTILE }, 'x'])).id;
    await workOn(app);
  });
  afterAll(() => app.stop());

  const results = (id: string, query: string, accept: string) =>
    app.get(`/v1/bulk-jobs/${id}/results${query}`, key).set('Accept', accept).buffer(true);
  const rowsOf = async (id: string, query = '') => {
    const answer = await results(id, query, XLSX).parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done(null, Buffer.concat(parts)));
    });
    expect(answer.headers).toMatchObject({ 'content-type': XLSX });
    expect(answer.headers['content-disposition']).toMatch(/-results-TEST\.xlsx"?$/);
    return readSheet(answer.body as Buffer);
  };

  it('are a workbook with the cells as texts, numbers and truth values', async () => {
    const [header, first, second] = await rowsOf(csv);
    expect(header?.slice(0, 6)).toEqual(['Name', 'E-Mail', 'input_status', 'status', 'reason', 'score']);
    const shown = HOSTILE.replace('\u0000', '');
    expect(first?.slice(0, 6)).toEqual([
      shown,
      'jane@example.com',
      'new',
      'deliverable',
      'accepted_email',
      95,
    ]);
    expect(first?.[header?.indexOf('disposable') ?? -1]).toBe(false);
    expect(second?.slice(0, 5)).toEqual([
      'Joe',
      'mailbox_not_found@example.com',
      null,
      'undeliverable',
      'mailbox_not_found',
    ]);
    const [names, row] = await rowsOf(json);
    expect(names?.slice(0, 3)).toEqual(['index', 'email', 'ref']);
    expect(row?.slice(0, 2)).toEqual([0, 'jane@example.com']);
  });

  it('have only the chosen columns, in their order, under a filter too', async () => {
    const { text } = await results(csv, '?columns=reason,input,email&status=undeliverable', 'text/csv');
    expect(text).toBe(
      'reason,Name,E-Mail,input_status,email\nmailbox_not_found,Joe,mailbox_not_found@example.com,,mailbox_not_found@example.com\n',
    );
    expect(await rowsOf(csv, '?columns=E-Mail,status')).toEqual([
      ['E-Mail', 'status'],
      ['jane@example.com', 'deliverable'],
      ['mailbox_not_found@example.com', 'undeliverable'],
    ]);
    expect((await results(json, '?columns=email,status', 'text/csv')).text).toMatch(/^email,status\njane@/);
  });

  it.each(['?columns=', '?columns=mail', '?columns=status,,reason'])('are refused with %s', async (query) => {
    const problem = expectProblem(await results(csv, query, 'text/csv'), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/columns invalid_value']);
    expect(problem.detail).toContain('Name, E-Mail, input_status, status');
  });

  it.each([
    '?columns=%22',
    '?columns=%22status',
    '?columns=status%0Areason',
    '?columns=status,status',
    '?columns=input,input',
    '?columns=input,E-Mail',
    '?columns=input_status,input',
    '?columns=email,reason,email',
  ])('are refused with %s, whatever the format', async (query) => {
    for (const type of ['text/csv', XLSX]) {
      const problem = expectProblem(await results(csv, query, type), 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual(['/columns invalid_value']);
    }
  });

  it('are refused if a column is named a thousand times', async () => {
    const problem = expectProblem(
      await results(csv, `?columns=${'input,'.repeat(1_300)}input`, 'text/csv'),
      400,
      'invalid_request',
    );
    expect(problem.detail).toContain('Name each column once; input has those of the list. Omit input.');
  });

  it('are a workbook with columns as wide as their texts, a filter, and dates that are dates', async () => {
    async function* batches() {
      yield await Promise.resolve([
        ['a long text in the first row', new Date('2026-09-01T15:15:00Z'), 'x'.repeat(500)],
      ]);
    }
    const parts: Buffer[] = [];
    for await (const part of workbook(['text', 'when', 'note'], batches())) parts.push(part);
    const file = Buffer.concat(parts);
    expect(await readSheet(file)).toMatchObject([
      ['text', 'when', 'note'],
      ['a long text in the first row', new Date('2026-09-01T15:15:00Z'), 'x'.repeat(500)],
    ]);
    const sheet = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.match(/ width="\d+"/g)).toEqual([' width="30"', ' width="18"', ' width="60"']);
    expect(sheet).toMatch(/<autoFilter ref="A1:C2"\/><\/worksheet>$/);
  });

  it('continue in another sheet after a million rows', async () => {
    async function* batches() {
      for (let batch = 0; batch < 1_001; batch++)
        yield await Promise.resolve(new Array<[number]>(1_000).fill([batch]));
    }
    const parts: Buffer[] = [];
    for await (const part of workbook(['n'], batches())) parts.push(part);
    const file = Buffer.concat(parts);
    const sheet = unzipSync(file, { filter: ({ name }) => name.endsWith('sheet2.xml') });
    const rows = strFromU8(Object.values(sheet)[0] ?? new Uint8Array()).match(/<row /g);
    expect(rows).toHaveLength(1_001);
    const names = unzipSync(file, { filter: ({ name }) => name === 'xl/workbook.xml' });
    expect(strFromU8(Object.values(names)[0] ?? new Uint8Array())).toContain('name="Results 2"');
  });
});
