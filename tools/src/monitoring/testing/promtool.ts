import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

const isThere = spawnSync('promtool', ['--version']).status === 0;
if (!isThere) console.warn('PromQL is not checked: there is no promtool here (Debian package "prometheus").');

/** A test that needs promtool: skipped on a machine without it, failed where `.ci/run` should have installed it. */
export const withPromtool: jest.It = isThere || process.env.REQUIRE_PROGRAMS === 'true' ? it : it.skip;

/** Runs promtool. @returns its complaints; empty if there are none */
export function promtool(...args: string[]): string {
  const { status, stderr, stdout, error } = spawnSync('promtool', args, { encoding: 'utf8' });
  if (error !== undefined) return `promtool does not start (Debian package "prometheus"): ${error.message}`;
  return status === 0 ? '' : stdout + stderr;
}

/** Parses queries with promtool; Grafana's own variables are replaced by a time or a text. @returns its complaints */
export function checkSyntax(queries: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-promql-'));
  try {
    const rules = queries.map((query, place) => ({ record: `query:${place}`, expr: query.replace(/\$__\w+/g, '5m') }));
    const file = join(folder, 'rules.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'queries', rules }] }));
    return promtool('check', 'rules', '--lint=none', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
