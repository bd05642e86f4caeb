/** How sources are compiled for a test. @param tsx whether they hold the markup of components */
const compile = (tsx) => [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
      target: 'es2022',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** @type {import('jest').Config['transform']} */
const transform = { '^.+\\.(ts|js|mjs)$': compile(false), '^.+\\.tsx$': compile(true) };

/**
 * What every group of tests shares.
 * @type {import('jest').Config}
 */
const shared = {
  rootDir: '.',
  transform,
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['/dist/', '/apps/[^/]+/bundle/', '/tools/bundle/', '/.data/', '/.nx/'],
};

/**
 * What runs in Node.js: packages are loaded once for all test files, our own sources for each.
 * @type {import('jest').Config}
 */
const inNode = {
  ...shared,
  testEnvironment: '<rootDir>/tools/src/testing/single-realm-environment.cjs',
  testEnvironmentOptions: { customExportConditions: ['@postrider/source', 'node', 'require', 'default'] },
  runtime: require.resolve('./tools/src/testing/shared-modules-runtime.cjs'),
  moduleNameMapper: { '/sandbox-file$': '<rootDir>/libs/testing/src/template-sandbox/sandbox-file.ts' },
};

/**
 * `unit`: no I/O, milliseconds. `panel`: the components of the panel, on a page without layout. `int`: a real PostgreSQL and
 * Redis, a database a file. `e2e`: the built processes over the wire, half of the files on the Node.js of the images.
 * @type {import('jest').Config}
 */
const config = {
  projects: [
    {
      ...inNode,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,tools}/**/src/**/*.spec.ts'],
      testPathIgnorePatterns: ['\\.int\\.spec\\.ts$'],
    },
    {
      ...shared,
      displayName: 'panel',
      testMatch: ['<rootDir>/apps/panel/src/**/*.spec.tsx'],
      testEnvironment: '<rootDir>/tools/src/testing/browser-environment.cjs',
      runtime: require.resolve('./tools/src/testing/compiled-once-runtime.cjs'),
      testEnvironmentOptions: { customExportConditions: ['@postrider/source', 'browser', 'require', 'default'] },
      transformIgnorePatterns: ['/node_modules/(?!(@tabler|wouter|regexparam)/)'],
      setupFilesAfterEnv: ['<rootDir>/apps/panel/src/testing/browser-gaps.ts'],
      moduleNameMapper: {
        '\\.css$': '<rootDir>/tools/src/testing/style-names.cjs',
        // In development React notes at each element where it was made, a sixth of the time of these tests.
        '^react/jsx-runtime$': '<rootDir>/node_modules/react/cjs/react-jsx-runtime.production.js',
      },
    },
    {
      ...inNode,
      displayName: 'int',
      testMatch: ['<rootDir>/{apps,libs,tools}/**/src/**/*.int.spec.ts'],
      globalSetup: '<rootDir>/tools/src/testing/global-setup.ts',
      globalTeardown: '<rootDir>/tools/src/testing/global-teardown.ts',
    },
    {
      ...inNode,
      displayName: 'e2e',
      testMatch: ['<rootDir>/e2e/src/**/*.spec.ts'],
      globalSetup: '<rootDir>/tools/src/testing/end-to-end-setup.ts',
      globalTeardown: '<rootDir>/tools/src/testing/global-teardown.ts',
    },
  ],
  testSequencer: require.resolve('./tools/src/testing/longest-first.cjs'),
  // Only ends what hangs: a loaded machine fails nothing. A call without an answer and a process that is never ready end
  // after 300 s and say which they are.
  testTimeout: 600_000,
  // A worker holds up to 400 MB at its end, which a loaded machine does not give back within the 500 ms that Jest waits.
  workerGracefulExitTimeout: 20_000,
};

module.exports = config;
