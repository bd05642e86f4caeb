import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

describe('a process whose output nobody reads any more', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-log-'));
  let writer: number;

  beforeAll(() => {
    for (const name of ['logger', 'buffered-output', 'hide-secrets', 'flush-log']) {
      const { code } = transformFileSync(join(__dirname, `${name}.ts`), { module: { type: 'commonjs' } });
      writeFileSync(join(folder, `${name}.js`), code);
    }
  });

  beforeEach(() => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reader = openSync(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    writer = openSync(join(folder, 'pipe'), constants.O_WRONLY);
    closeSync(reader);
  });

  afterEach(() => rmSync(join(folder, 'pipe')));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a program that has a `logger` and `flushLog`, and returns its exit code. */
  const codeOf = (program: string): Promise<unknown> => {
    const code = `
      const { createLogger } = require('./logger.js');
      const { flushLog } = require('./flush-log.js');
      const logger = createLogger('test', { logLevel: 'info', logFormat: 'json' });
      ${program}`;
    const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };
    // Only ends what hangs: a loaded machine fails nothing.
    const options = { cwd: folder, env, timeout: 280_000 };
    const child = spawn(process.execPath, ['-e', code], { ...options, stdio: ['ignore', writer, 'ignore'] });
    closeSync(writer);
    return new Promise((ended) => child.once('exit', ended));
  };

  it.each([
    ['after it has written its log', `flushLog(logger).then(() => process.exit(0));`],
    ['at once', `process.exit(0);`],
    ['by itself', ``],
    [
      'after it has noticed that, with a line that it writes then',
      `setTimeout(() => { logger.info('the next'); process.exit(0); }, 300);`,
    ],
  ])('ends %s', async (_when, end) => {
    expect(await codeOf(`logger.info('the last line'); ${end}`)).toBe(0);
  });
});
