import { describe, expect, it } from '@jest/globals';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
    const modules = (await Promise.all((await readdir('src/modules')).map(modulesIn))).flat();
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
    expect(trespassesIn('modules/events/webhooks/adapters/a.ts', text, owners)).toEqual([
      { file: 'modules/events/webhooks/adapters/a.ts', table: 'teams' },
    ]);
    expect(trespassesIn('modules/identity/teams/adapters/a.ts', text, owners)).toEqual(
      text.includes('webhooks') ? [{ file: 'modules/identity/teams/adapters/a.ts', table: 'webhooks' }] : [],
    );
  });
});

async function modulesIn(group: string): Promise<string[]> {
  const entry = join('src/modules', group);
  return (await stat(entry)).isDirectory() ? readdir(entry) : [];
}
