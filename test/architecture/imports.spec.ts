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

interface Rules {
  MAY_USE: Record<string, string[]>;
  forbidden: ImportRule[];
}
const rules = createRequire(import.meta.url)('./import-rules.cjs') as Rules;
const root = join(import.meta.dirname, '../..');
const MAX_FILES = 25;
/** Folder → folders that its files import. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** For each rule a file that violates it: its path and its import. After the name of a rule, a remark tells its cases apart. */
const VIOLATIONS: Record<string, [path: string, imports: string]> = {
  'module-tiers': ['src/modules/tiers/planted.ts', '../teams/teams.service.js'],
  'module-teams': ['src/modules/teams/planted.ts', '../api-keys/api-keys.service.js'],
  'module-api-keys': ['src/modules/api-keys/planted.ts', '../accounts/accounts.service.js'],
  'module-accounts': ['src/modules/accounts/planted.ts', '../webhooks/webhooks.service.js'],
  'module-oauth': ['src/modules/oauth/planted.ts', '../teams/teams.service.js'],
  'module-publishable-keys': ['src/modules/publishable-keys/planted.ts', '../teams/teams.service.js'],
  'module-proofs': ['src/modules/proofs/planted.ts', '../teams/teams.service.js'],
  'module-access': ['src/modules/access/planted.ts', '../verification/verification.service.js'],
  'module-blocklist': ['src/modules/blocklist/planted.ts', '../teams/teams.service.js'],
  'module-policy': ['src/modules/policy/planted.ts', '../teams/teams.service.js'],
  'module-schedules': ['src/modules/schedules/planted.ts', '../webhooks/webhooks.service.js'],
  'module-policy-preview': ['src/modules/policy-preview/planted.ts', '../teams/teams.service.js'],
  'module-disposable': ['src/modules/disposable/planted.ts', '../blocklist/blocklist.service.js'],
  'module-doctor': ['src/modules/doctor/planted.ts', '../teams/teams.service.js'],
  'module-usage': ['src/modules/usage/planted.ts', '../teams/teams.service.js'],
  'module-audit': ['src/modules/audit/planted.ts', '../teams/teams.service.js'],
  'module-failed-requests': ['src/modules/failed-requests/planted.ts', '../teams/teams.service.js'],
  'module-billing': ['src/modules/billing/planted.ts', '../usage/usage.service.js'],
  'module-bulk': ['src/modules/bulk/planted.ts', '../blocklist/blocklist.service.js'],
  'module-rechecks': ['src/modules/rechecks/planted.ts', '../billing/billing.service.js'],
  'module-verification': ['src/modules/verification/planted.ts', '../accounts/accounts.service.js'],
  'module-self-checks': ['src/modules/self-checks/planted.ts', '../billing/billing.service.js'],
  'module-system': ['src/modules/system/planted.ts', '../billing/billing.service.js'],
  'module-outcomes': ['src/modules/outcomes/planted.ts', '../teams/teams.service.js'],
  'module-mcp': ['src/modules/mcp/planted.ts', '../billing/billing.service.js'],
  'module-outcome-intake': ['src/modules/outcome-intake/planted.ts', '../billing/billing.service.js'],
  'module-webhooks': ['src/modules/webhooks/planted.ts', '../billing/billing.service.js'],
  'public-files-only': ['src/modules/accounts/planted2.ts', '../teams/domain/team.js'],
  'kernel-has-no-dependencies': ['src/kernel/planted.ts', 'node:fs'],
  'domain-is-pure': ['src/modules/teams/domain/planted.ts', 'typeorm'],
  'engine-rules-are-pure': ['src/engine/dns/planted.ts', './adapters/dns-client.js'],
  'engine-is-wired-once': ['src/engine/library/planted.ts', '../dns/adapters/dns-mx-resolver.js'],
  'engine-imports-no-module': ['src/engine/planted9.ts', '../modules/tiers/tiers.service.js'],
  'commands-import-public-files': ['src/commands/planted10.ts', '../modules/teams/domain/team.js'],
  'commands-import-public-files (adapters of the engine)': [
    'src/commands/planted12.ts',
    '../engine/dns/adapters/dns-client.js',
  ],
  'platform-imports-no-module': ['src/platform/planted.ts', '../modules/tiers/tiers.service.js'],
  'services-import-no-technology': [
    'src/modules/teams/planted.service.ts',
    './adapters/postgres-team.repository.js',
  ],
  'services-import-no-technology (without a role)': [
    'src/modules/teams/planted11.ts',
    '../../platform/config/environment.js',
  ],
  'only-modules-import-adapters': ['src/modules/teams/planted3.ts', './adapters/postgres-team.repository.js'],
  'only-modules-import-adapters (checks of the doctor)': [
    'src/modules/doctor/planted13.ts',
    './checks/examination.js',
  ],
  'adapters-import-no-services': ['src/modules/teams/adapters/planted.ts', '../teams.service.js'],
  'authorization-server-is-loaded-late': ['src/modules/oauth/adapters/planted.ts', 'oidc-provider'],
  'nothing-imports-composition': ['src/modules/tiers/planted4.ts', '../../errors.js'],
  'no-tests-in-production': ['src/platform/planted5.ts', '../../test/support/time/fake-clock.js'],
  'no-cycles': ['src/modules/tiers/planted6.ts', './planted7.js'],
  'no-orphans': ['src/platform/planted8.ts', ''],
};

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

  it('list every module', async () => {
    const entries = await readdir(join(root, 'src/modules'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(Object.keys(rules.MAY_USE).sort()).toEqual(folders.sort());
  });

  it('each detect a violation', () => {
    const planted = [
      ...Object.values(VIOLATIONS),
      ['src/modules/tiers/planted7.ts', './planted6.js'] as const,
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

  it('import each other in one direction', () => {
    expect(circleIn(graph)).toBeNull();
  });

  it('use every permission of the import rules', () => {
    expect(unusedPermissions(rules.MAY_USE, inSource)).toEqual([]);
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
    const used = [{ from: 'src/modules/a/a.ts', to: 'src/modules/b/b.service.ts', atLoad: true }];
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
