import { beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Rules {
  MAY_USE: Record<string, string[]>;
  options: ICruiseOptions;
}
const rules = createRequire(import.meta.url)('./import-rules.cjs') as Rules;
const root = join(import.meta.dirname, '../..');
const MAX_FILES = 25;
interface Import {
  from: string;
  to: string;
}
/** Folder → folders that its files import. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

describe('the folders', () => {
  let imports: Import[];
  let graph: Graph;

  beforeAll(async () => {
    const { output } = await cruise(['src'], { ...rules.options, baseDir: root });
    imports = (output as ICruiseResult).modules
      .filter(({ source }) => !source.endsWith('.spec.ts'))
      .flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
      )
      .filter(({ to }) => to.startsWith('src/'));
    graph = graphOf(imports.map(({ from, to }) => [dirname(from), dirname(to)]));
  });

  it('have at most 25 files each, specs and migrations apart', async () => {
    const files = (
      await Promise.all(['src', 'test', 'console/src', 'widget/src', 'clients/typescript/src'].map(filesIn))
    ).flat();
    expect(crowded(files)).toEqual([]);
  });

  it('import each other in one direction', () => {
    expect(circleIn(graph)).toBeNull();
  });

  it('use every permission of the import rules', () => {
    expect(unusedPermissions(rules.MAY_USE, imports)).toEqual([]);
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
    const used = [{ from: 'src/modules/a/a.ts', to: 'src/modules/b/b.service.ts' }];
    expect(unusedPermissions({ a: ['b', 'c'], b: ['a'] }, used)).toEqual(['a → c', 'b → a']);
  });
});

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
): string[] {
  const used = new Set(imports.map(({ from, to }) => `${moduleOf(from)} → ${moduleOf(to)}`));
  const granted = Object.entries(permissions).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`));
  return granted.filter((permission) => !used.has(permission));
}

function moduleOf(file: string): string | null {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1] ?? null;
}
