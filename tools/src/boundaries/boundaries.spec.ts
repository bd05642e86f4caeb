import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

/** The importer, the imported file, and why the import is forbidden. */
const FORBIDDEN = [
  ['libs/domain/src', '@postrider/platform', 'the domain imports nothing'],
  ['libs/platform/src', '@postrider/queues', 'the platform knows no queue'],
  ['libs/queues/src', '@postrider/persistence', 'queues and database do not know each other'],
  ['libs/vendors/src', '@postrider/rendering', 'infrastructure imports no feature'],
  ['apps/audience-worker/src', 'typeorm', 'apps do not know TypeORM'],
  ['apps/delivery-worker/src', 'bullmq', 'apps do not know BullMQ'],
  ['apps/gateway/src', '@postrider/vendor-simulator', 'apps do not import each other'],
  ['apps/promo-worker/src', '@postrider/testing', 'what is shipped imports no test code'],
  ['tools/src', '@postrider/gateway/testing', 'what is shipped imports no test code of an app'],
] as const;
const ALLOWED = ['apps/vendor-simulator/src', '@postrider/platform'] as const;

const RULES = ['@nx/enforce-module-boundaries', 'no-restricted-imports'];

/**
 * Asks these rules alone: they need no types, which take the linter most of its time. The rule of Nx reads the graph of
 * the projects that Nx has stored, and without one (before the first build) it checks nothing: so Nx makes it first.
 */
const LINT = `
  const { createProjectGraphAsync } = require('@nx/devkit');
  const { ESLint } = require('eslint');
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => ${JSON.stringify(RULES)}.includes(ruleId),
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  });
  const probes = JSON.parse(process.argv[1]);
  const lint = () => Promise.all(probes.map(({ file, text }) => eslint.lintText(text, { filePath: file })));
  createProjectGraphAsync().then(lint).then((results) => console.log(JSON.stringify(results.flat())));
`;

describe('the boundaries between projects', () => {
  /**
   * A file of each project with the forbidden import. It is not on disk, where other tests would find it among the
   * sources.
   */
  const probes = [...FORBIDDEN, ALLOWED].map(([folder, imported]) => ({
    file: join(folder, 'boundary-probe.ts'),
    text: `import * as other from '${imported}';\n\nexport const kept = other;\n`,
  }));
  const violations = new Map<string, number>();

  beforeAll(() => {
    const words = ['-e', LINT, JSON.stringify(probes)];
    const linter = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
    if (linter.status !== 0) throw new Error(`The linter could not be asked:\n${linter.stdout}${linter.stderr}`);
    const last = linter.stdout.trimEnd().split('\n').at(-1) ?? '';
    for (const { filePath, messages } of JSON.parse(last) as { filePath: string; messages: unknown[] }[]) {
      violations.set(join(dirname(filePath.slice(ROOT.length + 1)), basename(filePath)), messages.length);
    }
  });

  it.each(FORBIDDEN)('%s may not import %s: %s', (folder) => {
    expect(violations.get(join(folder, 'boundary-probe.ts'))).toBe(1);
  });

  it('an app may import a library', () => {
    expect(violations.get(join(ALLOWED[0], 'boundary-probe.ts'))).toBe(0);
  });
});
