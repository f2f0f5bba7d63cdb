/**
 * The map of the service: who may import whom. A new arrow is a design
 * decision, and is made here. `imports.spec.ts` holds the tree against these
 * rules and shows that each of them can fail.
 *
 * Four floors, arrows point down: composition (src/*.ts) → modules → platform → kernel.
 */

/** Module → whose front doors it may use. `tiers` uses nobody and serves all. */
const MAY_USE = {
  tiers: [],
  teams: ['tiers'],
  'api-keys': ['tiers', 'teams'],
  accounts: ['tiers', 'teams', 'api-keys'],
  access: ['tiers', 'teams', 'api-keys', 'usage'],
  blocklist: ['tiers'],
  disposable: ['tiers'],
  usage: ['tiers'],
  // teams: a recheck has no key, only a team.
  verification: ['tiers', 'teams', 'blocklist', 'disposable', 'usage'],
  billing: ['tiers', 'teams'],
  bulk: ['tiers', 'teams', 'usage', 'verification'],
  // Events reach it through the outbox. verification: a delivery of `verification.completed` carries its verdict.
  webhooks: ['tiers', 'verification'],
};

const MODULES = '^src/modules/';
/** What neighbours may import: the service, the module, the news, and the shape of an answer that theirs holds. */
const FRONT_DOOR = '\\.(service|module|dto)\\.ts$|/domain/[^/]+\\.events\\.ts$';

const between = Object.entries(MAY_USE).map(([name, neighbours]) => ({
  name: `module-${name}`,
  comment: `${name} may use ${neighbours.join(', ') || 'no other module'}`,
  severity: 'error',
  from: { path: `${MODULES}${name}/` },
  to: { path: MODULES, pathNot: `${MODULES}(${[name, ...neighbours].join('|')})/` },
}));

module.exports = {
  MAY_USE,
  forbidden: [
    ...between,
    {
      name: 'front-door',
      comment: 'a neighbour is used through its service, its module, its events or its answers',
      severity: 'error',
      from: { path: `${MODULES}([^/]+)/` },
      to: { path: MODULES, pathNot: [`${MODULES}$1/`, FRONT_DOOR] },
    },
    {
      name: 'kernel-is-alone',
      // node:url has the only IDNA (UTS #46) of the runtime, and domain names are everybody's.
      comment: 'the kernel imports nothing but itself and pure computation: node:crypto, node:url',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^src/kernel/', '^(node:)?(crypto|url)$'] },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain code imports its own domain, the kernel, and pure computation of the runtime',
      severity: 'error',
      from: { path: `${MODULES}([^/]+)/domain/`, pathNot: '\\.spec\\.ts$' },
      to: { pathNot: [`${MODULES}$1/domain/`, '^src/kernel/', '^(node:)?(crypto|url|zlib)$'] },
    },
    {
      name: 'platform-knows-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(modules/|commands/|[^/]+\\.ts$)' },
    },
    {
      name: 'services-know-no-technology',
      comment: 'a service takes ports; adapters, platform, DTOs and packages are for others',
      severity: 'error',
      from: { path: `${MODULES}[^/]+/[^/]+\\.service\\.ts$` },
      to: { path: ['/adapters/', '^src/platform/', '\\.dto\\.ts$', 'node_modules/(?!@nestjs/common/)'] },
    },
    {
      name: 'modules-wire-adapters',
      comment: 'within a module only *.module.ts reaches for an adapter',
      severity: 'error',
      from: { path: `${MODULES}[^/]+/`, pathNot: ['\\.module\\.ts$', '/adapters/', '\\.spec\\.ts$'] },
      to: { path: '/adapters/' },
    },
    {
      name: 'adapters-never-call-in',
      severity: 'error',
      from: { path: '/adapters/' },
      to: { path: '\\.(service|controller|module|guard|processor|dto)\\.ts$' },
    },
    {
      name: 'composition-is-the-roof',
      comment: 'nothing below imports the composition',
      severity: 'error',
      from: { path: '^src/(kernel|platform|modules)/' },
      to: { path: '^src/(commands/|[^/]+\\.ts$)' },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench)/|\\.spec\\.ts$' },
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['\\.spec\\.ts$', '^src/(main|cli)\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.spec.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
