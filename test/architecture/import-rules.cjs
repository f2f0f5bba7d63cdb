/**
 * The import rules. A new dependency between modules is a design decision and is
 * added here. `imports.spec.ts` checks the source against these rules and shows
 * that each rule can fail.
 *
 * Five layers, imports point downwards: composition (src/*.ts) → modules → engine → platform → kernel. The commands
 * are composition too: they call services of modules.
 */

/**
 * The groups of modules, in the order of reading: each imports only groups above it. In a group: module → modules whose
 * public files it may import. `imports.spec.ts` shows that each permission is used.
 */
const GROUPS = {
  identity: {
    uses: [],
    modules: {
      tiers: [],
      teams: ['tiers'],
      usage: ['tiers'],
      'api-keys': ['teams'],
      'publishable-keys': [],
      // A grant is listed, and ended, as a key.
      oauth: ['api-keys'],
      access: ['tiers', 'api-keys', 'oauth', 'publishable-keys', 'usage'],
      audit: [],
      'failed-requests': [],
    },
  },
  verification: {
    uses: ['identity'],
    modules: {
      blocklist: [],
      // The operator is the owner of the first team.
      disposable: ['teams'],
      policy: [],
      outcomes: [],
      // A proof is of a team if its key is.
      proofs: ['api-keys'],
      'mail-servers': [],
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
        'mail-servers',
      ],
    },
  },
  lists: {
    uses: ['identity', 'verification'],
    modules: {
      bulk: ['tiers', 'teams', 'policy', 'usage', 'verification'],
      // A recheck is a single check, or the row of a list.
      rechecks: ['teams', 'usage', 'verification', 'bulk'],
      // It reads the verdicts of lists and rechecks; these apply rules, so that `policy` itself imports neither.
      'policy-preview': ['policy', 'bulk', 'verification'],
      // A run submits a list.
      schedules: ['tiers', 'teams', 'verification', 'bulk'],
    },
  },
  events: {
    uses: ['identity', 'verification', 'lists'],
    modules: {
      // Events arrive through the outbox. teams: webhooks are added, and events distributed, under the lock of the team.
      // verification: a delivery of `verification.completed` contains the verdict. schedules: an event of a run has members of the run.
      webhooks: ['tiers', 'teams', 'verification', 'schedules'],
      // access: the events of a team have a rate.
      // teams: sources are counted under the lock of the team.
      // verification: outcomes find verdicts that are still stored.
      'outcome-intake': ['access', 'teams', 'outcomes', 'verification'],
    },
  },
  billing: { uses: ['identity'], modules: { billing: ['tiers', 'teams'] } },
  operation: {
    uses: ['identity', 'verification'],
    modules: {
      // mail-servers: sessions with mail providers that requests wait for.
      doctor: ['mail-servers'],
      // teams: changes are mailed to the operators.
      'self-checks': ['teams', 'doctor'],
      system: ['teams', 'mail-servers', 'doctor', 'self-checks'],
    },
  },
  protocols: {
    uses: ['identity', 'verification', 'lists'],
    modules: {
      // A tool is a route of these in another protocol.
      mcp: ['tiers', 'usage', 'verification', 'bulk'],
      reacher: ['verification', 'bulk'],
    },
  },
  accounts: {
    uses: ['identity', 'verification', 'lists', 'billing'],
    modules: {
      // bulk, schedules, verification: a person is erased from lists and stored facts too. billing: the prices of upgrades.
      accounts: ['tiers', 'teams', 'api-keys', 'billing', 'verification', 'bulk', 'schedules'],
    },
  },
};

const MODULES = '^src/modules/';
/** The engine without the technology that implements its ports. */
const ENGINE_RULES =
  '^src/engine/((address|dns|published|egress|limits|lists|providers|replies|smtp)/)?[^/]+$';
/** Files that other modules and the commands may import: services, modules, DTOs, tools and events. */
const PUBLIC_FILES = '\\.(service|module|dto|tools)\\.ts$|/domain/[^/]+\\.events\\.ts$';

/** At a module's root, or in the folder of a use case: the wiring, the ways in, and what a way in reads and writes. */
const WIRING_AND_WAYS_IN =
  '\\.(module|controller|guard|filter|processor|tasks|dto|pages|cookie|reader|tools)\\.ts$';

/** The checks of the doctor are the domain of that module, and each uses the technology that it checks. */
const ADAPTERS = ['/adapters/', '^src/modules/operation/doctor/checks/'];

/** Programs and readers of threads, which load them by their URL. */
const THREADS = '\\.thread\\.ts$';

/** Of the platform, what a service may read and write without a port: a second implementation of these will not exist. */
const FOR_SERVICES = '^src/platform/(config/config|telemetry/log)\\.ts$';

const betweenGroups = Object.entries(GROUPS).map(([name, { uses }]) => ({
  name: `group-${name}`,
  comment: `${name} may use ${uses.join(', ') || 'no other group'}`,
  from: { path: `${MODULES}${name}/` },
  to: { path: MODULES, pathNot: `${MODULES}(${[name, ...uses].join('|')})/` },
}));

const betweenModules = Object.values(GROUPS).flatMap(({ modules }) =>
  Object.entries(modules).map(([name, neighbours]) => ({
    name: `module-${name}`,
    comment: `${name} may use ${neighbours.join(', ') || 'no other module'}`,
    from: { path: `${MODULES}[^/]+/${name}/` },
    to: { path: MODULES, pathNot: `${MODULES}[^/]+/(${[name, ...neighbours].join('|')})/` },
  })),
);

module.exports = {
  GROUPS,
  forbidden: [
    ...betweenGroups,
    ...betweenModules,
    {
      name: 'public-files-only',
      comment: 'other modules are imported through their services, modules, DTOs, tools and events',
      from: { path: `${MODULES}[^/]+/([^/]+)/` },
      to: { path: MODULES, pathNot: [`${MODULES}[^/]+/$1/`, PUBLIC_FILES] },
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
      from: { path: `${MODULES}[^/]+/([^/]+)/domain/`, pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: [`${MODULES}[^/]+/$1/domain/`, ENGINE_RULES, '^src/kernel/', '^(node:)?(crypto|url|zlib)$'],
      },
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
        pathNot: [WIRING_AND_WAYS_IN, ...ADAPTERS, THREADS, '/domain/', '\\.spec\\.ts$'],
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
      name: 'threads-are-loaded-by-threads',
      comment: 'a reader that is imported would run in the thread that serves requests',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: THREADS, atLoad: true },
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
      from: {
        orphan: true,
        path: '^src/',
        pathNot: ['\\.spec\\.ts$', '^src/(main|cli)\\.ts$', '^src/platform/threads/reader\\.thread\\.ts$'],
      },
      to: {},
    },
  ],
};
