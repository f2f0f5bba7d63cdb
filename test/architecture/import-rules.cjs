/**
 * The import rules. A new dependency between modules is a design decision and is
 * added here. `imports.spec.ts` checks the source against these rules and shows
 * that each rule can fail.
 *
 * Five layers, imports point downwards: composition (src/*.ts) → modules → engine → platform → kernel. The commands
 * are composition too: they call services of modules.
 */

/** Module → modules whose public files it may import. `imports.spec.ts` shows that each permission is used. */
const MAY_USE = {
  tiers: [],
  teams: ['tiers'],
  'api-keys': ['teams'],
  // bulk, schedules, verification: a person is erased from lists and stored facts too. billing: the prices of upgrades.
  accounts: ['tiers', 'teams', 'api-keys', 'billing', 'verification', 'bulk', 'schedules'],
  // A grant is listed, and ended, as a key.
  oauth: ['api-keys'],
  'publishable-keys': [],
  // A proof is of a team if its key is.
  proofs: ['api-keys'],
  access: ['tiers', 'api-keys', 'oauth', 'publishable-keys', 'usage'],
  blocklist: [],
  policy: [],
  // It reads the verdicts of lists and rechecks; these apply rules, so that `policy` itself imports neither.
  'policy-preview': ['policy', 'bulk', 'verification'],
  // verification: sessions with mail providers that requests wait for.
  doctor: ['verification'],
  // The operator is the owner of the first team.
  disposable: ['teams'],
  outcomes: [],
  usage: ['tiers'],
  // teams: outcomes find the verdicts of a team with its current rules.
  // policy: the decision of a verdict is made when it is read.
  verification: [
    'tiers',
    'teams',
    'blocklist',
    'policy',
    'disposable',
    'outcomes',
    'proofs',
    'publishable-keys',
    'usage',
  ],
  audit: [],
  'failed-requests': [],
  billing: ['tiers', 'teams'],
  bulk: ['tiers', 'teams', 'policy', 'usage', 'verification'],
  // A run submits a list.
  schedules: ['tiers', 'teams', 'verification', 'bulk'],
  // A recheck is a single check, or the row of a list.
  rechecks: ['teams', 'usage', 'verification', 'bulk'],
  // teams: changes are mailed to the operators.
  'self-checks': ['teams', 'doctor'],
  system: ['teams', 'doctor', 'self-checks'],
  // A tool is a route of these in another protocol.
  mcp: ['tiers', 'usage', 'verification', 'bulk'],
  // access: the events of a team have a rate.
  // teams: sources are counted under the lock of the team.
  // verification: outcomes find verdicts that are still stored.
  'outcome-intake': ['access', 'teams', 'outcomes', 'verification'],
  // Events arrive through the outbox. teams: webhooks are added, and events distributed, under the lock of the team.
  // verification: a delivery of `verification.completed` contains the verdict.
  webhooks: ['tiers', 'teams', 'verification'],
};

const MODULES = '^src/modules/';
/** The engine without the technology that implements its ports. */
const ENGINE_RULES = '^src/engine/((address|dns|domain|egress|limits|lists|providers|replies|smtp)/)?[^/]+$';
/** Files that other modules and the commands may import: services, modules, DTOs, tools and events. */
const PUBLIC_FILES = '\\.(service|module|dto|tools)\\.ts$|/domain/[^/]+\\.events\\.ts$';

/** At a module's root, or in the folder of a use case: the wiring, the ways in, and what a way in reads and writes. */
const WIRING_AND_WAYS_IN = '\\.(module|controller|guard|processor|tasks|dto|pages|cookie|reader|tools)\\.ts$';

/** The checks of the doctor are the domain of that module, and each uses the technology that it checks. */
const ADAPTERS = ['/adapters/', '^src/modules/doctor/checks/'];

/** Of the platform, what a service may read and write without a port: a second implementation of these will not exist. */
const FOR_SERVICES = '^src/platform/(config/config|telemetry/log)\\.ts$';

const between = Object.entries(MAY_USE).map(([name, neighbours]) => ({
  name: `module-${name}`,
  comment: `${name} may use ${neighbours.join(', ') || 'no other module'}`,
  from: { path: `${MODULES}${name}/` },
  to: { path: MODULES, pathNot: `${MODULES}(${[name, ...neighbours].join('|')})/` },
}));

module.exports = {
  MAY_USE,
  forbidden: [
    ...between,
    {
      name: 'public-files-only',
      comment: 'other modules are imported through their services, modules, DTOs, tools and events',
      from: { path: `${MODULES}([^/]+)/` },
      to: { path: MODULES, pathNot: [`${MODULES}$1/`, PUBLIC_FILES] },
    },
    {
      name: 'kernel-has-no-dependencies',
      // node:url has the IDNA implementation (UTS #46) of the runtime, for domain names. node:events: many wait under
      // one signal, and nothing else removes the warning of the runtime.
      comment: 'the kernel imports only itself, node:crypto, node:events and node:url',
      from: { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^src/kernel/', '^(node:)?(crypto|events|url)$'] },
    },
    {
      name: 'domain-is-pure',
      comment:
        'domain code imports only its own domain, rules of the engine, the kernel, node:crypto, node:url and node:zlib',
      from: { path: `${MODULES}([^/]+)/domain/`, pathNot: '\\.spec\\.ts$' },
      to: { pathNot: [`${MODULES}$1/domain/`, ENGINE_RULES, '^src/kernel/', '^(node:)?(crypto|url|zlib)$'] },
    },
    {
      name: 'engine-rules-are-pure',
      comment:
        'the rules of the engine import only each other, the kernel, node:crypto, node:url and node:zlib',
      // compose.ts wires the rules with the technology.
      from: { path: ENGINE_RULES, pathNot: ['\\.spec\\.ts$', '^src/engine/compose\\.ts$'] },
      to: { pathNot: [ENGINE_RULES, '^src/kernel/', '^(node:)?(crypto|url|zlib)$'] },
    },
    {
      name: 'engine-is-wired-once',
      comment: 'the service, the command line and the library get their engine from composeEngine',
      from: { path: '^src/', pathNot: ['\\.spec\\.ts$', '^src/engine/compose\\.ts$'] },
      to: { path: '^src/engine/dns/adapters/dns-mx-resolver\\.ts$' },
    },
    {
      name: 'engine-imports-no-module',
      from: { path: '^src/engine/' },
      to: { path: '^src/(modules/|commands/|[^/]+\\.ts$)' },
    },
    {
      name: 'commands-import-public-files',
      comment: 'commands call services of modules, and the engine; they import no adapter',
      from: { path: '^src/commands/' },
      to: { path: ['/adapters/', `${MODULES}[^/]+/`], pathNot: PUBLIC_FILES },
    },
    {
      name: 'platform-imports-no-module',
      from: { path: '^src/platform/' },
      to: { path: '^src/(engine/|modules/|commands/|[^/]+\\.ts$)' },
    },
    {
      name: 'services-import-no-technology',
      comment:
        'services, and what else is no way in, rule or adapter, use ports; of the platform they import only Config and Log, and they import no adapters, ways in or packages',
      from: {
        path: `${MODULES}[^/]+/`,
        pathNot: [WIRING_AND_WAYS_IN, ...ADAPTERS, '/domain/', '\\.spec\\.ts$'],
      },
      to: {
        path: [...ADAPTERS, '^src/platform/', WIRING_AND_WAYS_IN, 'node_modules/(?!@nestjs/common/)'],
        pathNot: FOR_SERVICES,
      },
    },
    {
      name: 'only-modules-import-adapters',
      comment: 'within a module only *.module.ts imports adapters',
      from: { path: `${MODULES}[^/]+/`, pathNot: ['\\.module\\.ts$', ...ADAPTERS, '\\.spec\\.ts$'] },
      to: { path: ADAPTERS },
    },
    {
      name: 'adapters-import-no-services',
      from: { path: ADAPTERS },
      to: { path: ['\\.service\\.ts$', WIRING_AND_WAYS_IN] },
    },
    {
      name: 'authorization-server-is-loaded-late',
      // It takes 0.2 s and 29 MB, and most installations do not use it.
      comment: 'oidc-provider is imported when it is needed, and statically only for its types',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^|/)oidc-provider(/|$)', atLoad: true },
    },
    {
      name: 'nothing-imports-composition',
      comment: 'no lower layer imports the composition',
      from: { path: '^src/(kernel|platform|engine|modules)/' },
      to: { path: '^src/(commands/|[^/]+\\.ts$)' },
    },
    {
      name: 'no-tests-in-production',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench)/|\\.spec\\.ts$' },
    },
    { name: 'no-cycles', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'no-orphans',
      from: { orphan: true, path: '^src/', pathNot: ['\\.spec\\.ts$', '^src/(main|cli)\\.ts$'] },
      to: {},
    },
  ],
};
