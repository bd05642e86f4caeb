import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

/** The program under test runs in a process of its own: what matters is that it ends. */
function program(): string {
  const flush = transformFileSync(join(__dirname, 'flush-log.ts'), { module: { type: 'commonjs' } }).code;
  return `${flush}
    const { pino } = require('pino');
    const output = pino.destination({ sync: false, minLength: 8192, contentMode: 'buffer' });
    const logger = pino({ write: (line) => output.write(Buffer.from(line)), flush: (done) => output.flush(done) });
    logger.info('the last line');
    flushLog(logger).then(() => process.exit(0));`;
}

describe('a process whose output nobody reads any more', () => {
  it('ends all the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-log-'));
    try {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      const reader = openSync(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
      const writer = openSync(join(folder, 'pipe'), constants.O_WRONLY);
      closeSync(reader);
      // Only ends what hangs: a loaded machine fails nothing.
      const timeout = 280_000;
      const child = spawn(process.execPath, ['-e', program()], { stdio: ['ignore', writer, 'ignore'], timeout });
      closeSync(writer);
      expect(await new Promise((ended) => child.once('exit', ended))).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
