import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { definedMetrics } from './metrics-of-code';

const PAGE = join(resolve(__dirname, '../../..'), 'docs/operating.md');
/** `| `postrider_name{label,label}` | … |` */
const LINE = /^\| `(postrider_\w+(?:\{[a-z_,]+\})?)` +\|/gm;

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
