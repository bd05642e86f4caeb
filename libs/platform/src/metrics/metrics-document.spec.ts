import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
const DEFINED = /new (?:Gauge|Counter|Histogram)(?:<[^>]*>)?\(/;
const NAME = /name: '(postrider_\w+)'/;
const LABELS = /labelNames: \[([^\]]*)\]/;
/** `| `postrider_name{label,label}` | … |` */
const LINE = /^\| `(postrider_\w+(?:\{[a-z_,]+\})?)` +\|/gm;

describe('docs/operating.md', () => {
  it('lists every metric of the code with its labels, once, and no other', () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const listed = [...page.matchAll(LINE)].map(([, metric = '']) => metric);
    const defined = new Set(sources().flatMap((file) => metricsIn(readFileSync(file, 'utf8'))));
    expect(defined.size).toBeGreaterThan(30);
    expect(listed.toSorted()).toEqual([...defined].toSorted());
  });
});

/** Every source file of the apps and libs, without specs. */
function sources(): string[] {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).flatMap((project) => {
      const folder = join(ROOT, kind, project, 'src');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => join(folder, file));
    }),
  );
}

/** The metrics that a file defines: `name`, or `name{label,label}`. */
function metricsIn(source: string): string[] {
  return source
    .split(DEFINED)
    .slice(1)
    .flatMap((definition) => {
      const name = NAME.exec(definition)?.[1];
      const labels = LABELS.exec(definition)?.[1]?.match(/\w+/g) ?? [];
      if (name === undefined) return [];
      return [labels.length === 0 ? name : `${name}{${labels.join(',')}}`];
    });
}
