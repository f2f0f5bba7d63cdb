import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  importsIn,
  importsOf,
  sourceFilesIn,
  violationsOf,
  type Import,
  type ImportRule,
} from '../support/architecture/import-graph.js';
import { VIOLATIONS } from '../support/architecture/planted-imports.js';

interface Rules {
  GROUPS: Record<string, { uses: string[]; modules: Record<string, string[]> }>;
  forbidden: ImportRule[];
}
const rules = createRequire(import.meta.url)('./import-rules.cjs') as Rules;
const root = join(import.meta.dirname, '../..');
const MAX_FILES = 25;
const MAX_FILES_AT_ROOT = 12;
const MODULE_ROOT = /^src\/modules\/[^/]+\/[^/]+$/;
/** Of a file, its group and its module. */
const GROUP = /^src\/modules\/([^/]+)\//;
const MODULE = /^src\/modules\/[^/]+\/([^/]+)\//;
/** Folder → folders that its files import. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const ruleOf = (planted: string) => planted.replace(/ \(.*$/, '');

let files: string[];
let imports: Import[];
beforeAll(() => {
  files = sourceFilesIn(root, 'src');
  imports = importsIn(root, files);
});

describe('the import rules', () => {
  it('hold for the whole source', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(violationsOf(rules.forbidden, files, imports)).toEqual([]);
  });

  it('list every group and module', async () => {
    const groups = await foldersIn('src/modules');
    expect(Object.keys(rules.GROUPS).sort()).toEqual(groups);
    for (const [group, { modules }] of Object.entries(rules.GROUPS))
      expect(Object.keys(modules).sort()).toEqual(await foldersIn(`src/modules/${group}`));
  });

  it('let a group use only those above it', () => {
    const groups = Object.keys(rules.GROUPS);
    for (const [group, { uses }] of Object.entries(rules.GROUPS))
      expect(groups.slice(0, groups.indexOf(group))).toEqual(expect.arrayContaining(uses));
  });

  it('each detect a violation', () => {
    const planted = [
      ...Object.values(VIOLATIONS),
      ['src/modules/identity/tiers/planted7.ts', './planted6.js'] as const,
    ].map(([path, name]) => ({ path, code: name === '' ? '' : `import '${name}';` }));
    const found = violationsOf(
      rules.forbidden,
      planted.map(({ path }) => path),
      planted.flatMap(({ path, code }) => importsOf(path, code)),
    );
    const broken = new Set(found.map(({ rule, from }) => `${rule} by ${from}`));
    const expected = Object.entries(VIOLATIONS).map(([rule, [path]]) => `${ruleOf(rule)} by ${path}`);
    expect(expected.filter((rule) => !broken.has(rule))).toEqual([]);
    const names = [...new Set(Object.keys(VIOLATIONS).map(ruleOf))];
    expect(names.sort()).toEqual(rules.forbidden.map(({ name }) => name).sort());
  });

  it('see imports of types, re-exports and import() too, and where a path leads', () => {
    const code = `import type { A } from './a.js';
      export * from '../b/b.js';
      const c = import('../../c.js');
      let d: typeof import('typeorm/driver');
      import 'node:fs';`;
    expect(importsOf('src/modules/x/x.ts', code).map(({ to }) => to)).toEqual([
      'src/modules/x/a.ts',
      'src/modules/b/b.ts',
      'src/c.ts',
      'node_modules/typeorm/driver/',
      'node:fs',
    ]);
  });
});

describe('the folders', () => {
  let inSource: Import[];
  let graph: Graph;

  beforeAll(() => {
    inSource = imports.filter(({ from, to }) => !from.endsWith('.spec.ts') && to.startsWith('src/'));
    graph = graphOf(inSource.map(({ from, to }) => [dirname(from), dirname(to)]));
  });

  it('have at most 25 files each, specs and migrations apart', async () => {
    const all = (
      await Promise.all(
        ['src', 'test', 'bench', 'console/src', 'widget/src', 'clients/typescript/src'].map(filesIn),
      )
    ).flat();
    expect(crowded(all)).toEqual([]);
  });

  it('of modules have at most 12 files at their root: a use case has a folder', async () => {
    const roots = (await filesIn('src/modules')).filter((file) => !file.endsWith('.spec.ts')).map(dirname);
    const counts = new Map<string, number>();
    for (const root of roots) if (MODULE_ROOT.test(root)) counts.set(root, (counts.get(root) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES_AT_ROOT)).toEqual([]);
  });

  it('import each other in one direction', () => {
    expect(circleIn(graph)).toBeNull();
  });

  it('use every permission of the import rules', () => {
    const groups = Object.entries(rules.GROUPS).map(([group, { uses }]) => [group, uses] as const);
    const modules = Object.values(rules.GROUPS).flatMap((group) => Object.entries(group.modules));
    expect(unusedPermissions(Object.fromEntries(groups), inSource, GROUP)).toEqual([]);
    expect(unusedPermissions(Object.fromEntries(modules), inSource, MODULE)).toEqual([]);
  });

  it('are found if they are crowded or in a circle', () => {
    expect(crowded(Array.from({ length: MAX_FILES + 1 }, (_, n) => `src/a/file-${n}.ts`))).toEqual([
      `src/a: ${MAX_FILES + 1}`,
    ]);
    expect(
      circleIn(
        graphOf([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
          ['c', 'd'],
        ]),
      ),
    ).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are found if no import uses a permission', () => {
    const used = [{ from: 'src/modules/one/a/a.ts', to: 'src/modules/two/b/b.service.ts', atLoad: true }];
    expect(unusedPermissions({ a: ['b', 'c'], b: ['a'] }, used, MODULE)).toEqual(['a → c', 'b → a']);
    expect(unusedPermissions({ one: ['two'], two: ['one'] }, used, GROUP)).toEqual(['two → one']);
  });
});

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}

function crowded(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const isTest = /^test\/(?:e2e|integration|architecture)\//.test(file);
    if ((file.endsWith('.spec.ts') && !isTest) || file.includes('/migrations/')) continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count}`);
}

function graphOf(arrows: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of arrows) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** The folders of a circle, the first one again at its end; null: there is none. */
function circleIn(graph: Graph): string[] | null {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): string[] | null => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return null;
    for (const next of graph.get(folder) ?? []) {
      const circle = visit(next, [...path, folder]);
      if (circle !== null) return circle;
    }
    done.add(folder);
    return null;
  };
  for (const folder of graph.keys()) {
    const circle = visit(folder, []);
    if (circle !== null) return circle;
  }
  return null;
}

function unusedPermissions(
  permissions: Readonly<Record<string, readonly string[]>>,
  imports: readonly Import[],
  named: RegExp,
): string[] {
  const nameOf = (file: string) => named.exec(file)?.[1] ?? '';
  const used = new Set(imports.map(({ from, to }) => `${nameOf(from)} → ${nameOf(to)}`));
  const granted = Object.entries(permissions).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`));
  return granted.filter((permission) => !used.has(permission));
}
