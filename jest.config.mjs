export default {
  // Loads packages and `src` with Node's own loader, once for each worker.
  runner: ['jest-light-runner', { runtime: 'worker_threads' }],
  testSequencer: '<rootDir>/test/support/jest/longest-first.sequencer.cjs',
  // Nothing is transformed by Jest, so that Babel is not installed (docs/decisions/package.md).
  transform: {},
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // Tests wait for timers, databases and other processes: three workers leave a tenth of two processors idle, four less.
  maxWorkers: 4,
  globalSetup: '<rootDir>/test/support/jest/run.setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/run.teardown.mjs',
};
