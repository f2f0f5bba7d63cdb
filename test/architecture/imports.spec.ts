import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Rules {
  MAY_USE: Record<string, string[]>;
  forbidden: { name: string }[];
  options: ICruiseOptions;
}
const rules = createRequire(import.meta.url)('./import-rules.cjs') as Rules;
const root = join(import.meta.dirname, '../..');

/** For each rule a file that violates it: its path and its import. */
const VIOLATIONS: Record<string, [path: string, imports: string]> = {
  'module-tiers': ['src/modules/tiers/planted.ts', '../teams/teams.service.js'],
  'module-teams': ['src/modules/teams/planted.ts', '../api-keys/api-keys.service.js'],
  'module-api-keys': ['src/modules/api-keys/planted.ts', '../accounts/accounts.service.js'],
  'module-accounts': ['src/modules/accounts/planted.ts', '../verification/verification.service.js'],
  'module-publishable-keys': ['src/modules/publishable-keys/planted.ts', '../teams/teams.service.js'],
  'module-access': ['src/modules/access/planted.ts', '../verification/verification.service.js'],
  'module-blocklist': ['src/modules/blocklist/planted.ts', '../teams/teams.service.js'],
  'module-disposable': ['src/modules/disposable/planted.ts', '../blocklist/blocklist.service.js'],
  'module-doctor': ['src/modules/doctor/planted.ts', '../teams/teams.service.js'],
  'module-usage': ['src/modules/usage/planted.ts', '../teams/teams.service.js'],
  'module-audit': ['src/modules/audit/planted.ts', '../teams/teams.service.js'],
  'module-failed-requests': ['src/modules/failed-requests/planted.ts', '../teams/teams.service.js'],
  'module-billing': ['src/modules/billing/planted.ts', '../usage/usage.service.js'],
  'module-bulk': ['src/modules/bulk/planted.ts', '../blocklist/blocklist.service.js'],
  'module-verification': ['src/modules/verification/planted.ts', '../accounts/accounts.service.js'],
  'module-system': ['src/modules/system/planted.ts', '../billing/billing.service.js'],
  'module-outcomes': ['src/modules/outcomes/planted.ts', '../teams/teams.service.js'],
  'module-mcp': ['src/modules/mcp/planted.ts', '../billing/billing.service.js'],
  'module-outcome-intake': ['src/modules/outcome-intake/planted.ts', '../billing/billing.service.js'],
  'module-webhooks': ['src/modules/webhooks/planted.ts', '../billing/billing.service.js'],
  'public-files-only': ['src/modules/accounts/planted2.ts', '../teams/domain/team.js'],
  'kernel-has-no-dependencies': ['src/kernel/planted.ts', 'node:fs'],
  'domain-is-pure': ['src/modules/teams/domain/planted.ts', 'typeorm'],
  'engine-rules-are-pure': ['src/engine/dns/planted.ts', './adapters/dns-client.js'],
  'engine-imports-no-module': ['src/engine/planted9.ts', '../modules/tiers/tiers.service.js'],
  'commands-import-no-adapter': [
    'src/commands/planted10.ts',
    '../modules/teams/adapters/postgres-team.repository.js',
  ],
  'platform-imports-no-module': ['src/platform/planted.ts', '../modules/tiers/tiers.service.js'],
  'services-import-no-technology': [
    'src/modules/teams/planted.service.ts',
    './adapters/postgres-team.repository.js',
  ],
  'only-modules-import-adapters': ['src/modules/teams/planted3.ts', './adapters/postgres-team.repository.js'],
  'adapters-import-no-services': ['src/modules/teams/adapters/planted.ts', '../teams.service.js'],
  'nothing-imports-composition': ['src/modules/tiers/planted4.ts', '../../errors.js'],
  'no-tests-in-production': ['src/platform/planted5.ts', '../../test/support/time/fake-clock.js'],
  'no-cycles': ['src/modules/tiers/planted6.ts', './planted7.js'],
  'no-orphans': ['src/platform/planted8.ts', ''],
};

async function violations(
  baseDir: string,
  files = ['src'],
  more: ICruiseOptions = {},
): Promise<{ rule: string; from: string; to: string }[]> {
  const before = process.cwd();
  process.chdir(baseDir);
  try {
    const { output } = await cruise(files, {
      ...rules.options,
      ...more,
      baseDir,
      ruleSet: { forbidden: rules.forbidden },
      validate: true,
    } as ICruiseOptions);
    return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    }));
  } finally {
    process.chdir(before);
  }
}

describe('the import rules', () => {
  let copy: string;

  beforeAll(async () => {
    copy = await mkdtemp(join(root, 'node_modules', '.planted-'));
    await Promise.all(
      ['src', 'test/support'].map((dir) => cp(join(root, dir), join(copy, dir), { recursive: true })),
    );
    await Promise.all(
      ['package.json', 'tsconfig.json', 'tsconfig.spec.json'].map((file) =>
        cp(join(root, file), join(copy, file)),
      ),
    );
    for (const [path, imports] of Object.values(VIOLATIONS)) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(
        join(copy, path),
        imports === '' ? 'export const alone = 1;\n' : `import '${imports}';\n`,
      );
    }
    await writeFile(join(copy, 'src/modules/tiers/planted7.ts'), `import './planted6.js';\n`);
  });

  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('hold for the whole source', async () => {
    expect(await violations(root)).toEqual([]);
  });

  it('list every module', async () => {
    const entries = await readdir(join(root, 'src/modules'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(Object.keys(rules.MAY_USE).sort()).toEqual(folders.sort());
  });

  it('each detect a violation', async () => {
    const paths = Object.values(VIOLATIONS).map(([path]) => path);
    // The other files are only needed as import targets.
    const found = await violations(copy, paths, { doNotFollow: { path: '^(?!.*/planted)' } });
    const broken = new Set(found.map(({ rule, from }) => `${rule} by ${from}`));
    const expected = Object.entries(VIOLATIONS).map(([rule, [path]]) => `${rule} by ${path}`);
    expect(expected.filter((rule) => !broken.has(rule))).toEqual([]);
    expect(Object.keys(VIOLATIONS).sort()).toEqual(rules.forbidden.map(({ name }) => name).sort());
  });
});
