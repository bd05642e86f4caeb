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

/** Asks these rules alone: they need no types, which take the linter most of its time. */
const LINT = `
  const { ESLint } = require('eslint');
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => ${JSON.stringify(RULES)}.includes(ruleId),
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  });
  const probes = JSON.parse(process.argv[1]);
  Promise.all(probes.map(({ file, text }) => eslint.lintText(text, { filePath: file }))).then((results) =>
    console.log(JSON.stringify(results.flat())));
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
    const { stdout } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
    for (const { filePath, messages } of JSON.parse(stdout) as { filePath: string; messages: unknown[] }[]) {
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
