import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const ROOT = resolve(__dirname, '../../..');
const SCALERS = 'k8s/overlays/production/worker-scaling.yaml';

/** Blocks of shell commands, and code within a line. */
const CODE = /```sh\n([^`]*)```|`([^`\n]*)`/g;
const SCALE = /kubectl [^\n]*\bscale deployment(?:\/(\S+))?/g;

interface Scaler {
  kind: string;
  spec: { scaleTargetRef: { name: string } };
}

const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file));

/** The Deployments whose number of Pods KEDA decides. */
const scaled = parseAllDocuments(readFileSync(join(ROOT, SCALERS), 'utf8'))
  .map((document) => document.toJS() as Scaler)
  .filter(({ kind }) => kind === 'ScaledObject')
  .map(({ spec }) => spec.scaleTargetRef.name);

/** Returns the commands that give a number to a Deployment whose scaler puts its own back within seconds. */
function undoneIn(document: string): string[] {
  const codes = [...readFileSync(join(ROOT, document), 'utf8').matchAll(CODE)].map(([, block, word]) => block ?? word);
  return codes.flatMap((code = '') => {
    const tellsScalers = code.includes('scaledobject --all autoscaling.keda.sh/paused-replicas');
    const scales = tellsScalers ? [] : [...code.matchAll(SCALE)];
    return scales.filter(([, name]) => name === undefined || scaled.includes(name)).map(([command]) => command);
  });
}

/** Returns the commands that a line break takes apart: whoever copies one runs its first half. */
function brokenIn(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter((code) => code.includes('\n'));
}

describe('the commands of the documents', () => {
  it.each(documents)('stand on one line each: %s', (document) => {
    expect(brokenIn(document)).toEqual([]);
  });

  it.each(documents)('change the number of workers at their scaler, which undoes any other change: %s', (document) => {
    expect(scaled).toContain('delivery-worker');
    expect(undoneIn(document)).toEqual([]);
  });
});
