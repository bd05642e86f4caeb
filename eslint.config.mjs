import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import noBannedWords from './tools/lint-rules/no-banned-words.cjs';

/** Who may import whom: the layers of ARCHITECTURE.md. */
const layers = [
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: [
      'layer:maintenance',
      'layer:feature',
      'layer:infra',
      'layer:platform',
      'layer:contract',
      'layer:domain',
      'layer:testing',
    ],
    bannedExternalImports: ['typeorm', 'pg', 'bullmq'],
  },
  {
    // The tasks of the features: what a feature leaves behind is seen to in one place.
    sourceTag: 'layer:maintenance',
    onlyDependOnLibsWithTags: ['layer:feature', 'layer:infra', 'layer:platform', 'layer:domain', 'layer:testing'],
  },
  {
    sourceTag: 'layer:feature',
    onlyDependOnLibsWithTags: ['layer:infra', 'layer:platform', 'layer:domain', 'layer:testing'],
  },
  { sourceTag: 'layer:infra', onlyDependOnLibsWithTags: ['layer:platform', 'layer:domain', 'layer:testing'] },
  { sourceTag: 'layer:platform', onlyDependOnLibsWithTags: ['layer:domain'] },
  { sourceTag: 'layer:contract', onlyDependOnLibsWithTags: ['layer:domain'] },
  { sourceTag: 'layer:domain', onlyDependOnLibsWithTags: [] },
  {
    sourceTag: 'layer:testing',
    onlyDependOnLibsWithTags: ['layer:feature', 'layer:infra', 'layer:platform', 'layer:contract', 'layer:domain'],
  },
  // What backends install: it imports nothing of ours.
  { sourceTag: 'layer:sdk', onlyDependOnLibsWithTags: ['layer:sdk'] },
  // Of the client for backends the panel has the types alone.
  { sourceTag: 'runtime:browser', onlyDependOnLibsWithTags: ['layer:contract', 'layer:domain', 'layer:sdk'] },
  { sourceTag: 'layer:tool', onlyDependOnLibsWithTags: ['*'] },
  { sourceTag: 'layer:e2e', onlyDependOnLibsWithTags: ['*'] },
];

/** What only tests need: `.swcrc` builds none of it into what is shipped. */
const TEST_CODE = [
  '**/*.spec.ts',
  '**/*.spec.tsx',
  '**/src/**/testing/**',
  'apps/gateway/src/contract-corpus/**',
  'libs/testing/**',
  'tools/src/bench/**',
];

const NO_TEST_CODE = {
  regex: '^@postrider/testing$|/testing(/|$)',
  message: 'Test code is for specs, and is not built.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'apps/*/bundle',
      'tools/bundle',
      '**/node_modules',
      '.nx',
      '.cache',
      '.data',
      '**/test-output',
      '**/*.cjs',
      '**/*.mjs',
      'apps/guide/assets',
      'apps/panel/public',
      'apps/panel/src/api/generated',
      'libs/server/src/generated',
      // Code of applications on React Native and Capacitor: libs/client/tsconfig.examples.json checks it.
      'libs/client/example-*/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@nx': nx, postrider: { rules: { 'no-banned-words': noBannedWords } } },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'postrider/no-banned-words': 'error',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: layers,
          banTransitiveDependencies: false,
          // The throw-away databases of libs/testing are made by libs/persistence, whose own specs use them.
          // Specs of libs/queues use the Redis of tools.
          ignoredCircularDependencies: [
            ['@postrider/persistence', '@postrider/testing'],
            ['@postrider/queues', '@postrider/tools'],
          ],
        },
      ],
      'max-lines': ['error', { max: 300, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      complexity: ['error', 10],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 6 }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // There are no enums (`no-restricted-syntax`): looking for them took a seventh of the linter's time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      'no-restricted-syntax': ['error', { selector: 'TSEnumDeclaration', message: 'Use a union of texts.' }],
      // An answer's class says its fields to the API document; what is answered is a plain object with these fields.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read in libs/platform/src/config only.' },
      ],
    },
  },
  {
    files: ['apps/panel/**/*.ts', 'apps/panel/**/*.tsx'],
    languageOptions: { parserOptions: { project: './apps/panel/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
  },
  {
    // What is built and shipped (.swcrc) imports nothing that is not.
    files: ['{apps,libs,tools}/*/src/**/*.{ts,tsx}', 'tools/src/**/*.ts'],
    ignores: TEST_CODE,
    rules: {
      'no-restricted-imports': ['error', { patterns: [NO_TEST_CODE] }],
    },
  },
  {
    // The folders of the nouns stand on this one.
    files: ['libs/persistence/src/database/**/*.ts'],
    ignores: TEST_CODE,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [NO_TEST_CODE, { regex: '^\\.\\./(?!sql$)', message: 'database/ knows no table.' }] },
      ],
    },
  },
  {
    // What reads the texts of strangers: a text of a megabyte must not hold the process for as long as it likes. The settings
    // of a process are the operator's, and the panel and the clients read what belongs to who uses them.
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: [
      ...TEST_CODE,
      'libs/platform/src/config/**',
      'apps/{panel,guide,vendor-simulator}/**',
      'libs/{cli,client,server}/**',
    ],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // A lib's barrel is a list of names.
  { files: ['libs/*/src/index.ts'], rules: { 'max-lines': 'off' } },
  {
    // What a component shows is one tree: it is long before it is complicated.
    files: ['**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 100, skipComments: true, skipBlankLines: true }],
      complexity: ['error', 15],
    },
  },
  {
    files: [
      'libs/platform/src/config/**',
      'libs/cli/src/settings/environment.ts',
      'libs/testing/**',
      'tools/**',
      'e2e/**',
      '**/*.spec.ts',
      '**/*.spec.tsx',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.spec.tsx', 'e2e/**', 'libs/testing/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  prettier,
);
