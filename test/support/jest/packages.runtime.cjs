/**
 * A Jest runtime that loads npm packages and the modules of `src` once for each worker. Jest would load
 * NestJS, TypeORM and the whole service again for every spec file, which was most of the time of the suite.
 * Specs and the modules of `test` still have a registry for each spec file.
 *
 * It requires `main-context.environment.cjs`: packages and specs must share `Error`, `String` and `Date`.
 * `module-state.spec.ts` shows that modules of `src` have no state that a spec file could leave to the next.
 */
const { isBuiltin } = require('node:module');
const { join, sep } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compileFunction, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGE = /[\\/]node_modules[\\/]/;
/** Its state belongs to one spec file. */
const TEST_RUNNER = /[\\/]node_modules[\\/]jest-circus[\\/]/;

/** `require` cannot load a module with a top-level `await`; Jest can. */
const ASYNCHRONOUS = /[\\/]node_modules[\\/]dependency-cruiser[\\/]/;

const SRC = join(__dirname, '../../../src') + sep;
const SRC_URL = pathToFileURL(SRC).href;

const isSource = (path) => path.startsWith(SRC) && path.endsWith('.ts') && !path.endsWith('.spec.ts');

const isPackage = (path) =>
  PACKAGE.test(path) && !path.endsWith('.json') && !TEST_RUNNER.test(path) && !ASYNCHRONOUS.test(path);

/** Path of a module → its exports by name, as an ES module sees them. */
const loaded = new Map();
function exportsOf(path) {
  let exports = loaded.get(path);
  if (exports === undefined) {
    const required = require(path);
    const isEsm = required?.[Symbol.toStringTag] === 'Module';
    exports = isEsm ? { ...required } : { ...required, default: required, 'module.exports': required };
    loaded.set(path, exports);
  }
  return exports;
}

/** Loads packages with Node's own loader. */
class PackagesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { esmLoader, executor } = this;
    const build = esmLoader.buildCjsAsEsmSyntheticModule.bind(esmLoader);
    const isUnmarkedEsm = esmLoader.pendingCjsBuildIsUnmarkedEsm.bind(esmLoader);
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) => {
      if (!isPackage(path)) return build(from, path, context);
      const exports = Object.entries(exportsOf(path));
      return new SyntheticModule(
        exports.map(([name]) => name),
        function () {
          for (const [name, value] of exports) this.setExport(name, value);
        },
        { identifier: path },
      );
    };
    esmLoader.pendingCjsBuildIsUnmarkedEsm = (pending) =>
      !isPackage(pending.modulePath) && isUnmarkedEsm(pending);
    // Without a context, modules run in that of the worker.
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (name) => esmLoader.dynamicImportFromCjs(name, filename, undefined),
      });
  }

  /** Packages take the way of CommonJS modules, which ends in `buildCjsAsEsmSyntheticModule`. */
  unstable_shouldLoadAsEsm(path) {
    return !isPackage(path) && super.unstable_shouldLoadAsEsm(path);
  }

  requireModuleOrMock(from, name) {
    const path = name === '@jest/globals' ? null : this.packageOf(from, name);
    return path === null ? super.requireModuleOrMock(from, name) : require(path);
  }

  /** For the test runner itself. */
  requireInternalModule(from, name) {
    const path = this.packageOf(from, name);
    return path === null ? super.requireInternalModule(from, name) : require(path);
  }

  packageOf(from, name) {
    if (name === undefined || isBuiltin(name) || name.startsWith('jest-main:')) return null;
    const path = this._resolution.resolveCjs(from, name);
    return isPackage(path) ? path : null;
  }
}

/** The modules of `src` for all spec files of a worker, in a runtime that no spec file tears down. */
class Source {
  loads = new Map();
  lastLoad = Promise.resolve();

  constructor(runtime) {
    this.runtime = runtime;
  }

  /** Modules are linked and evaluated one after the other, because their graphs overlap. */
  load(path) {
    let load = this.loads.get(path);
    if (load === undefined) {
      const { esmLoader } = this.runtime;
      load = this.lastLoad.then(async () =>
        esmLoader.linkAndEvaluateModule(await esmLoader.loadEsmModule(path)),
      );
      this.loads.set(path, load);
      this.lastLoad = load.catch(() => undefined);
    }
    return load;
  }

  /** As Jest loads static imports since Node 22.21. */
  loadSync(path) {
    return this.runtime.esmLoader.tryLoadGraphSync(path, '', 'sync-required');
  }
}

/** Modules by URL: those of a spec file, and those of `src`. */
class Registry extends Map {
  constructor(source) {
    super();
    this.source = source;
  }

  get(url) {
    const path = url.startsWith(SRC_URL) ? fileURLToPath(url) : '';
    return isSource(path) ? this.source.loadSync(path) : super.get(url);
  }
}

let source = null;

module.exports = class SharedRuntime extends PackagesRuntime {
  constructor(...options) {
    super(...options);
    const [, , , , , coverage, , { watch, watchAll }] = options;
    // Coverage is measured for each spec file, and a watched file may change.
    if (coverage.collectCoverage || watch || watchAll) return;
    source ??= new Source(new PackagesRuntime(...options));
    this.registries.esModuleRegistry = new Registry(source);
    const { esmLoader } = this;
    const load = esmLoader.loadEsmModule.bind(esmLoader);
    esmLoader.loadEsmModule = (path, suffix) => (isSource(path) ? source.load(path) : load(path, suffix));
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    if (source === null) return own;
    const shared = source.runtime.getSourceMaps();
    return {
      get: (path) => own.get(path) ?? shared.get(path),
      [Symbol.iterator]: () => [...own, ...shared].values(),
    };
  }
};
