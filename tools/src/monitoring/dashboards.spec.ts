import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { metricsOfCode, unknownIn } from './metrics-of-code';
import { checkSyntax, withPromtool } from './testing/promtool';

const ROOT = resolve(__dirname, '../../..');
const GRAFANA = join(ROOT, 'monitoring/grafana');
const FILES = readdirSync(join(GRAFANA, 'dashboards'));
/** Grafana's grid has so many columns. */
const COLUMNS = 24;

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { uid: string } }[];
}

interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
  panels: Panel[];
}

const read = (file: string): Dashboard =>
  JSON.parse(readFileSync(join(GRAFANA, 'dashboards', file), 'utf8')) as Dashboard;

const queriesOf = ({ panels, annotations }: Dashboard): string[] => [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...annotations.list.map(({ expr }) => expr),
];

describe.each(FILES)('the dashboard %s', (file) => {
  const dashboard = read(file);
  const { panels } = dashboard;

  it('has the form that Grafana reads', () => {
    expect(dashboard).toMatchObject({ uid: file.replace('.json', ''), schemaVersion: 39 });
    expect(dashboard.uid.length).toBeLessThanOrEqual(40);
    expect(panels.length).toBeGreaterThan(5);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, title, targets = [] } of panels) {
      expect(['timeseries', 'stat', 'table', 'row']).toContain(type);
      expect(title).not.toBe('');
      expect([title, targets.length > 0]).toEqual([title, type !== 'row']);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  it('shows no panel on top of another, and none beyond the edge', () => {
    for (const { title, gridPos } of panels) {
      expect([title, gridPos.x >= 0 && gridPos.x + gridPos.w <= COLUMNS]).toEqual([title, true]);
    }
    const pairs = panels.flatMap((one, place) => panels.slice(place + 1).map((other) => [one, other] as const));
    expect(
      pairs.filter(([one, other]) => overlap(one, other)).map(([{ title }, other]) => [title, other.title]),
    ).toEqual([]);
  });

  it('asks for metrics and labels that there are', () => {
    const metrics = metricsOfCode();
    expect(queriesOf(dashboard).flatMap((query) => unknownIn(query, metrics))).toEqual([]);
  });

  it('asks the data source and by the variables that one can choose', () => {
    const variables = dashboard.templating.list.map(({ name }) => name);
    expect(variables).toContain('datasource');
    const sources = panels.flatMap(({ targets = [] }) => targets.map(({ datasource }) => datasource.uid));
    expect(new Set(sources)).toEqual(new Set(['${datasource}']));
    const used = queriesOf(dashboard).flatMap((query) => query.match(/\$(?!__)\w+/g) ?? []);
    for (const name of used) expect(variables).toContain(name.slice(1));
  });

  withPromtool('asks in correct PromQL', () => {
    expect(checkSyntax(queriesOf(dashboard))).toBe('');
  });
});

describe('the dashboards together', () => {
  it('show every metric', () => {
    const queries = FILES.flatMap((file) => queriesOf(read(file))).join('\n');
    const families = [...metricsOfCode().keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    const unseen = families.filter((name) => name.startsWith('postrider_') && !queries.includes(name));
    // Shown by application in an alert only: a dashboard would have a line for each of many applications.
    expect([...new Set(unseen)]).toEqual(['postrider_route_state']);
  });

  it('are where the provisioning looks for them', () => {
    const provider = parse(readFileSync(join(GRAFANA, 'provisioning/dashboards/postrider.yml'), 'utf8')) as {
      providers: { options: { path: string } }[];
    };
    const compose = parse(readFileSync(join(ROOT, 'monitoring/compose.yaml'), 'utf8')) as {
      services: Record<string, { volumes: string[] }>;
    };
    const mounts = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.filter((volume) => volume.startsWith('..')).map((volume) => volume.split(':') as [string, string]),
    );
    expect(mounts.map(([, to]) => to)).toContain(provider.providers[0]?.options.path);
    // Compose reads them from the folder of its first file.
    for (const [from] of mounts) expect([from, existsSync(resolve(ROOT, 'docker', from))]).toEqual([from, true]);
  });
});

function overlap({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean {
  const isBeside = one.x + one.w <= other.x || other.x + other.w <= one.x;
  const isAbove = one.y + one.h <= other.y || other.y + other.h <= one.y;
  return !isBeside && !isAbove;
}
