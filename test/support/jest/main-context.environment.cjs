const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Node 20 visits every storage that was ever used whenever a promise is created, until the storage is disabled. */
const storages = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

/** Where decorators of `src` leave their metadata: modules of `src` stay loaded (`packages.runtime.cjs`). */
const METADATA = new Set(['classValidatorMetadataStorage', 'typeormMetadataArgsStorage']);

/** Runs specs in the context of the worker. After a file it restores the global variables and the environment variables. */
module.exports = class MainContext {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.variables = { ...process.env };
    this.exit = process.exit;
  }

  async setup() {
    // Jest sets 100, which makes every `expect` slower.
    Error.stackTraceLimit = 25;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const key of Reflect.ownKeys(globalThis)) {
      const { configurable, value } = Object.getOwnPropertyDescriptor(globalThis, key);
      const before = this.globals[key];
      if (!configurable || before?.value === value || METADATA.has(key)) continue;
      if (before === undefined) delete globalThis[key];
      else Object.defineProperty(globalThis, key, before);
    }
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
    process.exitCode = undefined;
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest requires a value; the runtime does not use it. */
  getVmContext() {
    return {};
  }
};
