import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './program';
import { Interruption, reportOf } from './terminal/failure';
import { Output, outliveReaders } from './terminal/output';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
const interrupted = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort(new Interruption(signal)));
}
const streams = { out: process.stdout, err: process.stderr };
outliveReaders(streams, {
  end: () => process.exit(0),
  fail: (error) => {
    const report = reportOf(error);
    new Output(streams, process.argv.includes('--json')).failure(report);
    process.exit(report.exitCode);
  },
});

void runProgram(process.argv.slice(2), { streams, signal: interrupted.signal }, version).then((exitCode) => {
  process.exitCode = exitCode;
});
