import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/**
 * `npm test`: every test there is. Words after `--` go to Jest (`npm test -- --testPathPatterns segments`). The results are
 * left in `.cache/test-results.json` for whoever counts them.
 */
mkdirSync('.cache', { recursive: true });
const words = [
  '--conditions=@postrider/source',
  'node_modules/jest/bin/jest.js',
  '--json',
  '--outputFile=.cache/test-results.json',
  ...process.argv.slice(2),
];
// Jest's JSON goes to the file; what a person reads is on stderr.
const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
process.exit(status ?? 1);
