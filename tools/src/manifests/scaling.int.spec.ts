import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { parseAllDocuments } from 'yaml';

const FILE = resolve(__dirname, '../../../k8s/overlays/production/worker-scaling.yaml');

interface Scaler {
  kind: string;
  metadata: { name: string };
  spec: { triggers: { type: string; metadata: { query: string; targetQueryValue: string } }[] };
}

const scalers = parseAllDocuments(readFileSync(FILE, 'utf8'))
  .map((document) => document.toJS() as Scaler)
  .filter(({ kind }) => kind === 'ScaledObject');

describe('the queries by which KEDA scales the workers', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it('are there for each kind of workers', () => {
    const names = scalers.map(({ metadata }) => metadata.name).sort();
    expect(names).toEqual(['audience-worker', 'delivery-worker', 'delivery-worker-transactional']);
  });

  it.each(scalers.map((scaler) => [scaler.metadata.name, scaler] as const))(
    'give one number on the schema: %s',
    async (_, { spec }) => {
      for (const { type, metadata } of spec.triggers) {
        expect(type).toBe('postgresql');
        expect(Number(metadata.targetQueryValue)).toBeGreaterThan(0);
        const answer: Record<string, string>[] = await throwAway.dataSource.query(metadata.query);
        expect(answer.map((row) => Object.values(row))).toEqual([['0']]);
      }
    },
  );
});
