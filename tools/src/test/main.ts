import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * `npm test`: runs every test. Words after `--` go to Jest (`npm test -- --testPathPatterns segments`). The results are
 * left in `.cache/test-results.json` for programs that count them.
 */
mkdirSync('.cache', { recursive: true });
const words = [
  '--conditions=@postrider/source',
  // A test file leaves little behind and throws away much: a larger nursery is collected less often.
  '--max-semi-space-size=64',
  'node_modules/jest/bin/jest.js',
  // Jest leaves one core free; on two that would be one test at a time, and most of them wait: for vendors, sockets, PostgreSQL. More
  // than three make each other slower where a fresh page of memory is slow: 34 files with PostgreSQL took 58 s with four and 43 s with
  // two; `.ci/run` took 25 minutes with two and with three.
  `--maxWorkers=${Math.max(3, availableParallelism() - 1)}`,
  '--json',
  '--outputFile=.cache/test-results.json',
  ...process.argv.slice(2),
];
/** Processes, browsers and PostgreSQL are in a zone in which half hours show, so that what takes it for UTC fails. */
const env = { TZ: 'America/St_Johns', ...process.env };
// Jest's JSON goes to the file; what a person reads is on stderr.
const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'], env });
process.exit(status ?? 1);
