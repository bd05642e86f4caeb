const { AsyncResource } = require('node:async_hooks');
const { createRequire } = require('node:module');
const { sep } = require('node:path');
const { default: CompiledOnceRuntime } = require('./compiled-once-runtime.cjs');

const load = createRequire(__filename);
const ofNoTest = new AsyncResource('packages');
/** The state that a package keeps must not hold the first test that loads it in memory. */
const loadOnce = (path) => load.cache[path]?.exports ?? ofNoTest.runInAsyncScope(load, null, path);

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Loads packages once for all test files of a process, by the loader of Node.js itself: Nest, TypeORM, BullMQ and
 * Fastify are about two thousand files, and Jest compiles and runs each of them again for every test file. Our own
 * sources, and modules that a test replaces by `jest.mock`, still belong to every test file: they are compiled once,
 * and run again. Goes with `single-realm-environment.cjs`: packages and tests have the same `Error` and `Array`.
 */
class SharedPackagesRuntime extends CompiledOnceRuntime {
  requireModule(from, name, options, isActual) {
    const isJestsOwn = options?.isInternalModule === true;
    if (isJestsOwn || (name && this._resolution.isCoreModule(name))) {
      return super.requireModule(from, name, options, isActual);
    }
    const path = name ? this._resolution.resolveCjs(from, name) : from;
    return path.includes(PACKAGES) ? loadOnce(path) : super.requireModule(from, name, options, isActual);
  }
}

module.exports = { __esModule: true, default: SharedPackagesRuntime };
