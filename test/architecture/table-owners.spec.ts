import { describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { SCHEMAS } from '../../src/modules/schema.js';
import { tableOwners, trespasses, trespassesIn } from '../support/architecture/table-owners.js';

/** Exceptions: `file table` → the reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

describe('a module reads and writes its own tables only', () => {
  it('every table has an owner: a module, or the platform', async () => {
    const owners = await tableOwners();
    expect([...owners.keys()]).toEqual(
      expect.arrayContaining(SCHEMAS.map(({ options }) => options.tableName)),
    );
    const modules = await readdir('src/modules');
    expect([...owners].filter(([, owner]) => ![...modules, 'platform'].includes(owner))).toEqual([]);
  });

  it('no SQL names a table of another module', async () => {
    const found = await trespasses(await tableOwners());
    expect(found.map(({ file, table }) => `${file} ${table}`)).toEqual(Object.keys(ALLOWED));
  });

  it.each([
    ['a query', "query('SELECT id FROM teams WHERE id = $1')"],
    ['a join', 'query(`SELECT ${COLUMNS}\n FROM webhooks w\n JOIN teams ON true`)'],
    ['an update', "query('UPDATE teams SET name = $1')"],
    ['a copy', "copyRows(manager, 'teams (id, name)', rows)"],
    ['a purge', "purge(work, { table: 'teams', where, orderBy })"],
  ])('%s of another module’s table is found', async (_, text) => {
    const owners = await tableOwners();
    expect(trespassesIn('modules/webhooks/adapters/a.ts', text, owners)).toEqual([
      { file: 'modules/webhooks/adapters/a.ts', table: 'teams' },
    ]);
    expect(trespassesIn('modules/teams/adapters/a.ts', text, owners)).toEqual(
      text.includes('webhooks') ? [{ file: 'modules/teams/adapters/a.ts', table: 'webhooks' }] : [],
    );
  });
});
