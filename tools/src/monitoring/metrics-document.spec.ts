import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { definedMetrics } from './metrics-of-code';

const PAGE = join(resolve(__dirname, '../../..'), 'docs/operating.md');
/** `| `postrider_name{label,label}` | … |` */
const LINE = /^\| `(postrider_\w+(?:\{[a-z_,]+\})?)` +\|/gm;
/** The labels by which Prometheus tells apart what it scrapes. A metric's own label of such a name becomes `exported_…`. */
const OF_PROMETHEUS = ['job', 'instance', 'namespace', 'pod', 'container', 'endpoint', 'service', 'node'];

describe('the metrics of the code', () => {
  it('have no label that Prometheus itself gives to everything that it scrapes', () => {
    const taken = definedMetrics().flatMap(({ name, labels }) =>
      labels.filter((label) => OF_PROMETHEUS.includes(label)).map((label) => `${name}{${label}}`),
    );
    expect(taken).toEqual([]);
  });
});

describe('docs/operating.md', () => {
  it('lists every metric of the code with its labels, once, and no other', () => {
    const listed = [...readFileSync(PAGE, 'utf8').matchAll(LINE)].map(([, metric = '']) => metric);
    const defined = new Set(
      definedMetrics().map(({ name, labels }) => (labels.length === 0 ? name : `${name}{${labels.join(',')}}`)),
    );
    expect(defined.size).toBeGreaterThan(30);
    expect(listed.toSorted()).toEqual([...defined].toSorted());
  });
});
