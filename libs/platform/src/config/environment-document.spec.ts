import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from './variables';

const DOCUMENT = join(__dirname, '..', '..', '..', '..', 'docs', 'environment.md');

describe('docs/environment.md', () => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .flatMap((line) => /^\| `([A-Z0-9_]+)` +\|/.exec(line)?.[1] ?? []);

  it('lists every variable that a process reads, and no other', () => {
    expect([...rows].sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});
