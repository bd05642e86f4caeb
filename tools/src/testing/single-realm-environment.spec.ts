import asyncHooks from 'node:async_hooks';
import performance from 'node:perf_hooks';
import { IsString, MetadataStorage } from 'class-validator';

type TestEnvironment = new (config: object) => { moduleMocker: typeof jest; teardown(): Promise<void> };

const Environment = jest.requireActual<TestEnvironment>('./single-realm-environment.cjs');

const NAME = 'single-realm-environment';

describe('the environment of test files', () => {
  const open = () => new Environment({ projectConfig: { testEnvironmentOptions: {}, fakeTimers: {} } });

  it('undoes what a test file did to the process', async () => {
    const handlers = process.listeners('SIGTERM');
    const { exit } = process;
    const environment = open();
    Object.assign(globalThis, { [NAME]: 'left behind', fetch: null });
    process.env[NAME] = 'left behind';
    process.exit = () => undefined as never;
    process.on('SIGTERM', () => undefined);
    await environment.teardown();
    expect(globalThis).not.toHaveProperty(NAME);
    expect(fetch).toBeInstanceOf(Function);
    expect(process.env).not.toHaveProperty(NAME);
    expect(process.exit).toBe(exit);
    expect(process.listeners('SIGTERM')).toEqual(handlers);
  });

  it('ends what a test file left running: intervals, and observers of the process', async () => {
    const original = { setInterval, PerformanceObserver: performance.PerformanceObserver };
    const environment = open();
    const interval = setInterval(() => undefined, 60_000);
    const disconnect = jest.spyOn(new performance.PerformanceObserver(() => undefined), 'disconnect');
    await environment.teardown();
    expect(interval).toHaveProperty('_destroyed', true);
    expect(disconnect).toHaveBeenCalledTimes(1);
    expect({ setInterval, PerformanceObserver: performance.PerformanceObserver }).toEqual(original);
  });

  it('ends the storages that a test file made, so that no promise of a later one looks into them', async () => {
    const { AsyncLocalStorage } = asyncHooks;
    const environment = open();
    const storage = new asyncHooks.AsyncLocalStorage<string>();
    const disable = jest.spyOn(storage, 'disable');
    expect(storage.run('kept', () => storage.getStore())).toBe('kept');
    await environment.teardown();
    expect(disable).toHaveBeenCalledTimes(1);
    expect(asyncHooks.AsyncLocalStorage).toBe(AsyncLocalStorage);
  });

  it('puts the methods back that a test file replaced: the next one has the same classes', async () => {
    class Sender {
      send(): string {
        return 'sent';
      }
    }
    const environment = open();
    environment.moduleMocker.spyOn(Sender.prototype, 'send').mockReturnValue('not sent');
    expect(new Sender().send()).toBe('not sent');
    await environment.teardown();
    expect(new Sender().send()).toBe('sent');
  });

  it('keeps what decorators said of classes, which the next test file has too', async () => {
    const storage = Reflect.get(globalThis, 'classValidatorMetadataStorage') as unknown;
    const environment = open();
    // A class of its own: what is said of Object holds for every class.
    class Named {
      name = '';
    }
    IsString()(Named.prototype, 'name');
    await environment.teardown();
    const after = Reflect.get(globalThis, 'classValidatorMetadataStorage') as unknown;
    expect(after).toBeInstanceOf(MetadataStorage);
    if (storage !== undefined) expect(after).toBe(storage);
  });

  it('puts back a variable that a test file took away', async () => {
    const path = process.env.PATH;
    const environment = open();
    delete process.env.PATH;
    await environment.teardown();
    expect(process.env.PATH).toBe(path);
  });
});
