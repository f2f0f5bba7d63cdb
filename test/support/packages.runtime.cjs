/**
 * A Jest runtime that loads npm packages with Node's own loader, once for each worker. Jest would load
 * NestJS, TypeORM and all other packages again for every spec file, which was most of the time of the suite.
 * The modules of `src` and `test` still have a registry for each spec file.
 *
 * It requires `main-context.environment.cjs`: packages and specs must share `Error`, `String` and `Date`.
 */
const { createRequire, isBuiltin } = require('node:module');
const { compileFunction, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGE = /[\\/]node_modules[\\/]/;
/** Its state belongs to one spec file. */
const TEST_RUNNER = /[\\/]node_modules[\\/]jest-circus[\\/]/;

/** `require` cannot load a module with a top-level `await`; Jest can. */
const ASYNCHRONOUS = /[\\/]node_modules[\\/]dependency-cruiser[\\/]/;

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

module.exports = PackagesRuntime;
