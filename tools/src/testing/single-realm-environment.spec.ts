type TestEnvironment = new (config: object) => { teardown(): Promise<void> };

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

  it('puts back a variable that a test file took away', async () => {
    const path = process.env.PATH;
    const environment = open();
    delete process.env.PATH;
    await environment.teardown();
    expect(process.env.PATH).toBe(path);
  });
});
