const { isContext, Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const SPEC = /\.spec\.tsx?$/;
const scripts = new Map();

/** @returns the function that is a file: compiled once, and each test file has a module of its own of it */
function compiled(source, filename, parameters, context) {
  const script = scriptOf(source, filename, parameters);
  return isContext(context) ? script.runInContext(context) : script.runInThisContext();
}

function scriptOf(source, filename, parameters) {
  const kept = scripts.get(filename);
  if (kept?.source === source) return kept.script;
  const start = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${start}${source}\n})`, { filename, columnOffset: -start.length });
  if (!SPEC.test(filename)) scripts.set(filename, { source, script });
  return script;
}

/**
 * Compiles a file once for all test files of a process that load it; Jest does so for each. Each test file still runs
 * it itself.
 */
class CompiledOnceRuntime extends Runtime {
  constructor(...words) {
    super(...words);
    this.executor.compile = (source, filename) => {
      const context = this._environment.getVmContext();
      return context === null ? null : compiled(source, filename, this.executor.injectedModuleParameters, context);
    };
  }
}

module.exports = { __esModule: true, default: CompiledOnceRuntime };
