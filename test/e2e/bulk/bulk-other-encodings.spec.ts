import { afterAll, beforeAll, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { toWindows1252 } from '../../../src/kernel/text/windows-1252.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { previewOn, sendList, workOn } from '../../support/app/bulk.js';

const LINES = ['氏名,email,都道府県', '田中 花子,anna@example.com,東京都', '鈴木,NULL,大阪府'];
const BYTES = iconv.encode(`${LINES.join('\n')}\n`, 'shift_jis');

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await anApp();
  key = (await app.anAccount()).testKey;
});
afterAll(() => app.stop());

const results = async (id: string, accept: string) => {
  const answer = await fetch(
    `${app.url}/v1/bulk-jobs/${id}/results?${accept === 'text/csv' ? 'formula_guard=false&bom=true' : ''}`,
    {
      headers: { authorization: `Bearer ${key}`, accept },
    },
  );
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
};

it('a list in an encoding that is not known has a warning, and its bytes in results as CSV', async () => {
  const sent = await sendList(app, key, BYTES, 'text/csv');
  const job = sent.body as BulkJobResponse;
  expect(job).toMatchObject({ total: 2, empty: 1, format: { encoding: 'windows-1252' } });
  expect(job.format?.warning).toContain('Name its encoding with encoding');
  await workOn(app);
  const csv = await results(job.id, 'text/csv');
  expect(csv.type).toBe('text/csv; charset=windows-1252');
  const [header, ...rows] = csv.bytes.toString('latin1').split(/\r?\n/);
  const [names, ...cells] = BYTES.toString('latin1').split('\n');
  expect(header?.startsWith(`${names},status`)).toBe(true);
  expect(rows.slice(0, 2).map((row, at) => row.startsWith(`${cells[at]},`))).toEqual([true, true]);
  const json = JSON.parse((await results(job.id, 'application/json')).bytes.toString()) as {
    data: { ref: Record<string, string> }[];
  };
  const own = Object.values(json.data[0]?.ref ?? {}).map((cell) =>
    iconv.decode(toWindows1252(cell), 'shift_jis'),
  );
  expect(own).toEqual(['田中 花子', '東京都']);
});

it('its preview has the warning too, and a list whose encoding is named has none', async () => {
  const held = await sendList(app, key, BYTES, 'text/csv', { query: '?hold=true' });
  await previewOn(app);
  const { id } = held.body as BulkJobResponse;
  const { preview } = (await app.get(`/v1/bulk-jobs/${id}`, key)).body as BulkJobResponse;
  expect(preview?.warnings[0]).toMatchObject({
    code: 'encoding',
    message: expect.stringContaining('with encoding'),
  });
  const named = await sendList(app, key, BYTES, 'text/csv', { query: '?encoding=shift_jis' });
  expect(named.body).toMatchObject({ format: { encoding: 'shift_jis', warning: null } });
});
