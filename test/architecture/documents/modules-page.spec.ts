import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Rules {
  GROUPS: Record<string, { modules: Record<string, string[]> }>;
}
const { GROUPS } = createRequire(import.meta.url)('../import-rules.cjs') as Rules;
const root = join(import.meta.dirname, '../../..');
const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
];

interface Row {
  group: string;
  module: string;
  isLeaf: boolean;
}

/** The rows of a table, cell by cell, from its heading on. */
function tableUnder(page: string, heading: string): string[][] {
  const lines = page.slice(page.indexOf(heading)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) => line.split('|').map((cell) => cell.trim()));
}

describe('ARCHITECTURE.md', () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  });

  it('has a row for each module in its group, and says which no other module imports', () => {
    let group = '';
    const rows: Row[] = tableUnder(page, '| Group | Module |').map(
      ([, named = '', module = '', text = '']) => {
        if (named !== '') group = named.replaceAll('`', '');
        return { group, module: module.replaceAll('`', ''), isLeaf: text.endsWith('; a leaf') };
      },
    );
    const used = new Set(Object.values(GROUPS).flatMap(({ modules }) => Object.values(modules).flat()));
    expect(rows.map(({ group, module }) => `${group}/${module}`)).toEqual(
      Object.entries(GROUPS).flatMap(([group, { modules }]) =>
        Object.keys(modules).map((module) => `${group}/${module}`),
      ),
    );
    expect(rows.filter(({ isLeaf }) => isLeaf).map(({ module }) => module)).toEqual(
      rows.map(({ module }) => module).filter((module) => !used.has(module)),
    );
  });

  it('counts groups, guards and types as they are', async () => {
    const access = await readFile(join(root, 'src/modules/identity/access/access.module.ts'), 'utf8');
    const guards = /const CHECKS = \[([^\]]*)\]/.exec(access)?.[1]?.match(/\w+/g) ?? [];
    const types = tableUnder(page, '| Type | What it is |');
    expect(page).toContain(`The modules are in ${NUMBERS[Object.keys(GROUPS).length]} groups.`);
    expect(page).toContain(`${NUMBERS[guards.length]} guards in one array`);
    expect(page.toLowerCase()).toContain(`${NUMBERS[types.length]} types lead from a reply to a verdict`);
    const [, named = ''] = /guards in one array: ([^.]*)\./.exec(page) ?? [];
    expect(named.split(', ')).toHaveLength(guards.length);
  });

  it('names the folders of the engine, and no others', async () => {
    const [, listed = ''] =
      /The engine has a folder for each subject, in this order: ([^]*?)\. `verify/.exec(page) ?? [];
    const named = [...listed.matchAll(/`(\w+)\/`/g)].map(([, name]) => name);
    const entries = await readdir(join(root, 'src/engine'), { withFileTypes: true });
    expect(named.sort()).toEqual(
      entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort(),
    );
  });
});
