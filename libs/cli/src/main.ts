import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './program';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
const interrupted = new AbortController();

process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
// The reader of our output has enough: `postrider messages list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void runProgram(
  process.argv.slice(2),
  { streams: { out: process.stdout, err: process.stderr }, signal: interrupted.signal },
  version,
).then((exitCode) => {
  process.exitCode = exitCode;
});
