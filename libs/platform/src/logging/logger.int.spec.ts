import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformFileSync } from '@swc/core';

describe('the log of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-log-'));
  const running: ChildProcess[] = [];

  beforeAll(() => {
    for (const name of ['logger', 'buffered-output', 'hide-secrets']) {
      const { code } = transformFileSync(join(__dirname, `${name}.ts`), { module: { type: 'commonjs' } });
      writeFileSync(join(folder, `${name}.js`), code);
    }
  });

  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** Runs a program that has a `logger`, and that goes on until it is killed. */
  const start = (program: string): ChildProcess => {
    const code = `
      const { createLogger } = require('./logger.js');
      const logger = createLogger('test', { logLevel: 'info', logFormat: 'json' });
      setInterval(() => undefined, 1 << 30);
      ${program}`;
    const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };
    const child = spawn(process.execPath, ['-e', code], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(child);
    return child;
  };

  it('has a single line while the process goes on', async () => {
    const lines = createInterface({ input: start(`logger.info({ count: 1 }, 'page.attempted')`).stdout! });
    for await (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ event: 'page.attempted', count: 1, app: 'test', level: 'info' });
      break;
    }
  });

  it('has each of thousands of lines, and the one that comes after them', async () => {
    const child = start(`
      for (let count = 0; count < 4_000; count += 1) logger.info({ count, sent: 'Grüße 🚚' }, 'page.attempted');
      setTimeout(() => logger.info({ count: 4_000, sent: 'Grüße 🚚' }, 'page.attempted'), 1);`);
    let next = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      expect(JSON.parse(line)).toMatchObject({ count: next, sent: 'Grüße 🚚' });
      next += 1;
      if (next > 4_000) break;
    }
  });
});
