import { expect, it } from '@jest/globals';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { aFreshDatabase } from '../support/database/fresh-database.js';
import { findEmptyTables } from './empty-tables.js';
import { makeRecord } from './make-record.js';

it('a record of the present version has a row in each table, and reads every object', async () => {
  const database = await aFreshDatabase();
  const record = await makeRecord('present', database.url);
  const found = await createDataSource(database.url, [], 1).initialize();
  // A new table gets a row in `makeObjects`.
  expect(await findEmptyTables((sql) => found.query(sql))).toEqual([]);
  await found.destroy();
  await database.drop();
  const refused = record.answers.filter(({ status }) => status >= 500);
  expect(refused).toEqual([]);
  for (const path of ['/v1/policy', '/v1/schedules', '/v1/admin/system/checks'])
    expect(record.answers).toContainEqual(expect.objectContaining({ by: 'owner', path, status: 200 }));
  for (const path of [/^\/v1\/schedules\/[^/]+\/runs$/, /^\/v1\/bulk-jobs\/[^/]+\/results$/])
    expect(record.answers.some((answer) => path.test(answer.path) && answer.status === 200)).toBe(true);
  expect(record.statements.length).toBeGreaterThan(150);
});
