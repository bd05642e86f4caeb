import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

/**
 * Runs a source file in a process of its own, which may end otherwise than a test may, and which can collect garbage (`gc()`).
 *
 * @returns how it ended: its code, or the name of the signal, and what it wrote to its error output
 */
export async function runSource(file: string, ...words: string[]): Promise<{ ended: number | string; errors: string }> {
  const load = ['--expose-gc', '--require', join(__dirname, 'compile-sources.cjs'), file];
  const child = spawn(process.execPath, [...load, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? String(signal))),
  );
  return { errors: await text(child.stderr), ended: await ended };
}
