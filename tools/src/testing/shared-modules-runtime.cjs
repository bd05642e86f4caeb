const { AsyncResource } = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, sep } = require('node:path');
const { default: CompiledOnceRuntime } = require('./compiled-once-runtime.cjs');

const load = Module.createRequire(__filename);
const ofNoTest = new AsyncResource('modules');
/** What a module keeps when it is loaded must not hold the test in memory that is the first to load it. */
const loadOnce = (path) => load.cache[path]?.exports ?? ofNoTest.runInAsyncScope(load, null, path);

const ROOT = join(__dirname, '..', '..', '..') + sep;
const PACKAGES = `${sep}node_modules${sep}`;
/** What only tests need uses the words of Jest, which each test file has of its own. */
const TEST_CODE = /\.(spec|scenario)\.ts$|\/testing\/|\/contract-corpus\/|^e2e\//;
/** Except for what they share on purpose. */
const SHARED_TEST_CODE = /^libs\/testing\/src\/administrator\.ts$/;

/** A test file that replaces a source, or loads it anew. */
const HAS_SOURCES_OF_ITS_OWN = /jest\.(mock|isolateModulesAsync)\(/;

/** Of the test file that runs: compiles our sources, and says which files stand for others. */
let running;
/** Where the maps of what was compiled are: a failure shows the lines of our sources. */
const maps = new Map();

Module._extensions['.ts'] = (module, path) => module._compile(running.transformCache.transform(path), path);
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [, replacement] = running?.replaced.find(([pattern]) => pattern.test(request)) ?? [];
  return replacement ?? resolve.call(Module, request, ...rest);
};

/**
 * Loads packages and what we build once for all test files of a process, by the loader of Node.js itself. A gateway is some three
 * thousand files, and Jest would resolve, read and run each of them anew for every test file. Only the test files and their
 * helpers are every test file's own; and all our sources are in a test file that replaces one of them by `jest.mock` or loads it
 * anew by `jest.isolateModulesAsync`. Goes with `single-realm-environment.cjs`: modules and tests have the same `Error` and `Array`.
 */
class SharedModulesRuntime extends CompiledOnceRuntime {
  constructor(...words) {
    super(...words);
    this.replaced = this._config.moduleNameMapper.map(([pattern, path]) => [new RegExp(pattern), path]);
    this.sharesSources = !HAS_SOURCES_OF_ITS_OWN.test(readFileSync(this._testPath, 'utf8'));
    this.transformCache.sourceMaps = maps;
    running = this;
  }

  requireModule(from, name, options, isActual) {
    const isJestsOwn = options?.isInternalModule === true;
    if (isJestsOwn || (name && this._resolution.isCoreModule(name))) {
      return super.requireModule(from, name, options, isActual);
    }
    const path = name ? this._resolution.resolveCjs(from, name) : from;
    return this.isShared(path) ? loadOnce(path) : super.requireModule(from, name, options, isActual);
  }

  isShared(path) {
    if (path.includes(PACKAGES)) return true;
    if (!path.startsWith(ROOT) || !path.endsWith('.ts')) return false;
    const file = path.slice(ROOT.length);
    return SHARED_TEST_CODE.test(file) || (this.sharesSources && !TEST_CODE.test(file));
  }
}

module.exports = { __esModule: true, default: SharedModulesRuntime };
