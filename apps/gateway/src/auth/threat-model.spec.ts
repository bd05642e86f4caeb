import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
const APPS = new Set(['gateway', 'device-edge', 'delivery-worker', 'audience-worker', 'promo-worker', 'panel']);

describe('docs/threat-model.md', () => {
  const text = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('|') && !/^\| *(?:-|Who +\||What +\|)/.test(line));

  it('names a test in every line, and none that does not exist', () => {
    expect(lines.length).toBeGreaterThan(40);
    for (const line of lines) {
      const [held = ''] = line.split('|').slice(-2);
      const specs = [...held.matchAll(/`([^`]+\.spec\.ts)`/g)].map(([, spec = '']) => spec);
      expect([line, specs.length > 0]).toEqual([line, true]);
      for (const spec of specs) expect([spec, existsSync(fileOf(spec))]).toEqual([spec, true]);
    }
  });

  it('is named where somebody looks for it', () => {
    expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain('docs/threat-model.md');
  });
});

/** `gateway/auth/x.spec.ts` is `apps/gateway/src/auth/x.spec.ts`, `vendors/…` in `libs`. */
function fileOf(spec: string): string {
  const [project = '', ...rest] = spec.split('/');
  return join(ROOT, APPS.has(project) ? 'apps' : 'libs', project, 'src', ...rest);
}
