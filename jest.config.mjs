export default {
  runtime: '<rootDir>/test/support/jest/packages.runtime.cjs',
  testEnvironment: '<rootDir>/test/support/jest/main-context.environment.cjs',
  injectGlobals: false,
  testSequencer: '<rootDir>/test/support/jest/longest-first.sequencer.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  coverageProvider: 'v8',
  testTimeout: 60_000,
  // Tests wait for timers and other processes, so two workers do not use two processors.
  maxWorkers: 3,
  // Every spec file has modules of its own, and a worker is slow to let go of those of the last ones.
  workerIdleMemoryLimit: '1500MB',
  globalSetup: '<rootDir>/test/support/jest/run.setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/run.teardown.mjs',
};
