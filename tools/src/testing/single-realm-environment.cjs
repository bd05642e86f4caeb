const { setDefaultAutoSelectFamilyAttemptTimeout } = require('node:net');
const performance = require('node:perf_hooks');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { rememberStorages } = require('./remember-storages.cjs');

// `localhost` has two addresses, of which a test's server has one: on a busy machine it takes longer than Node's 250
// ms.
setDefaultAutoSelectFamilyAttemptTimeout(30_000);

// A histogram is held until the process ends, and with it the test that made it and all modules of its file. One does for all.
const loopDelay = performance.monitorEventLoopDelay();
performance.monitorEventLoopDelay = () => loopDelay;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'];
/** What decorators say of our classes, which stay. */
const OF_DECORATORS = ['classValidatorMetadataStorage', 'typeormMetadataArgsStorage'];

/**
 * Runs test files in the realm of the process, so that they can share the modules that Node.js has loaded (see
 * `shared-modules-runtime.cjs`). What a test file does to the process is undone behind it: globals, environment variables,
 * handlers of signals, and what it put in the place of methods (`jest.spyOn`).
 */
module.exports = class SingleRealmEnvironment {
  constructor({ projectConfig: config }) {
    this.conditions = config.testEnvironmentOptions.customExportConditions;
    this.restore = rememberProcess();
    this.endMeasuring = rememberMeasuring();
    this.endStorages = rememberStorages();
    this.global = globalThis;
    this.context = {};
    globalThis.global = globalThis;
    Error.stackTraceLimit = 100;
    this.moduleMocker = new ModuleMocker(globalThis);
    const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig,
    });
    // Of what it takes for the realm's own globals the modules `timers` are faked too, and what a test waits for would stand still.
    this.fakeTimersModern = new ModernFakeTimers({ config, global: new Proxy(globalThis, {}) });
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.context = null;
    this.endMeasuring();
    this.endStorages();
    this.restore();
  }

  exportConditions() {
    return this.conditions;
  }

  /** Jest asks whether it is still there. */
  getVmContext() {
    return this.context;
  }
};

/**
 * A process writes its log and measures itself until it ends. In a test nothing ends that, and it holds all modules of the file
 * in memory.
 *
 * @returns what ends the intervals and observers that were begun since
 */
function rememberMeasuring() {
  const { PerformanceObserver } = performance;
  const { setInterval } = globalThis;
  const intervals = [];
  const observers = [];
  globalThis.setInterval = (...words) => {
    const interval = setInterval(...words);
    intervals.push(new WeakRef(interval));
    return interval;
  };
  performance.PerformanceObserver = class extends PerformanceObserver {
    constructor(callback) {
      super(callback);
      observers.push(this);
    }
  };
  return () => {
    Object.assign(performance, { PerformanceObserver });
    globalThis.setInterval = setInterval;
    for (const interval of intervals) clearInterval(interval.deref());
    for (const observer of observers) observer.disconnect();
  };
}

/** @returns what puts the process back to how it is now */
function rememberProcess() {
  const globals = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]),
  );
  const env = { ...process.env };
  const { exit } = process;
  const handlers = new Map(STOP_SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  return () => {
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.getOwnPropertyDescriptor(globalThis, key).configurable) continue;
      if (globals.has(key)) Object.defineProperty(globalThis, key, globals.get(key));
      else if (!OF_DECORATORS.includes(key)) delete globalThis[key];
    }
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const [signal, before] of handlers) {
      for (const handler of process.listeners(signal)) {
        if (!before.includes(handler)) process.removeListener(signal, handler);
      }
    }
  };
}
