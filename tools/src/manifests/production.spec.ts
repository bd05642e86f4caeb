import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { VARIABLES } from '@postrider/platform';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = resolve(__dirname, '../../..');
/** The time that a process has to end after SIGTERM (libs/platform). */
const STOP_WITHIN_SECONDS = 20;
/** Connections to PostgreSQL of a process: `DATABASE_POOL_SIZE`, and of a gateway `DATABASE_HEAVY_POOL_SIZE` besides. */
const POOL = 10;
const HEAVY_POOL = 4;

interface Container {
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  volumeMounts?: { name: string; mountPath: string }[];
}

interface Pod {
  terminationGracePeriodSeconds: number;
  containers: Container[];
  volumes?: { name: string; secret: { secretName: string } }[];
}

interface Rendered {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    minReplicas?: number;
    maxReplicas?: number;
    minReplicaCount?: number;
    maxReplicaCount?: number;
    scaleTargetRef?: { name: string };
    strategy?: { rollingUpdate: { maxSurge: number } };
    ports?: { name: string; port: number; targetPort?: string }[];
    rules?: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
    podSelector?: { matchLabels?: Record<string, string> };
    ingress?: { ports: { port: string | number }[] }[];
    egress?: { ports: { port: string | number }[]; to?: { ipBlock?: { cidr: string; except: string[] } }[] }[];
    template?: { spec: Pod };
  };
}

const hasKustomize = spawnSync('kubectl', ['kustomize', '--help']).status === 0;
if (!hasKustomize) console.warn('The production overlay is not rendered: there is no kubectl with kustomize here.');

(hasKustomize ? describe : describe.skip)('the production overlay, rendered', () => {
  const { stdout } = spawnSync('kubectl', ['kustomize', join(ROOT, 'k8s/overlays/production')], { encoding: 'utf8' });
  const rendered = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
  const all = (kind: string): Rendered[] => rendered.filter((one) => one.kind === kind);
  const podOf = (name: string): Pod => {
    const pod = all('Deployment').find(({ metadata }) => metadata.name === name)?.spec.template?.spec;
    if (pod === undefined) throw new Error(`There is no deployment ${name}`);
    return pod;
  };
  const scalers = [...all('HorizontalPodAutoscaler'), ...all('ScaledObject')];
  const scalerOf = (name: string): Rendered | undefined =>
    scalers.find(({ spec }) => spec.scaleTargetRef?.name === name);

  it('holds every process', () => {
    const names = all('Deployment').map(({ metadata }) => metadata.name);
    const workers = ['audience-worker', 'delivery-worker', 'delivery-worker-transactional', 'promo-worker'];
    expect(names.sort()).toEqual([...workers, 'device-edge', 'gateway'].sort());
  });

  it('has delivery workers for each lane, so that no page waits for a worker that does not exist', () => {
    const lanes = all('Deployment').flatMap(({ metadata, spec }) =>
      (spec.template?.spec.containers ?? []).flatMap(({ env = [] }) =>
        env.filter(({ name }) => name === 'DELIVERY_LANES').map(({ value }) => [metadata.name, value]),
      ),
    );
    expect(lanes.sort()).toEqual([
      ['delivery-worker', 'campaign'],
      ['delivery-worker-transactional', 'transactional'],
    ]);
  });

  it('runs two or more of each, whether a scaler or the deployment counts them', () => {
    for (const { metadata, spec } of all('Deployment')) {
      const scaler = scalerOf(metadata.name)?.spec;
      const least = scaler === undefined ? spec.replicas : (scaler.minReplicas ?? scaler.minReplicaCount);
      expect([metadata.name, least]).toEqual([metadata.name, 2]);
      // Two that decide about one number would undo each other.
      expect([metadata.name, scaler !== undefined && spec.replicas !== undefined]).toEqual([metadata.name, false]);
    }
  });

  it('opens no more connections to PostgreSQL than the documents say', () => {
    const connections = all('Deployment').map(({ metadata, spec }) => {
      const most = mostOf(scalerOf(metadata.name)?.spec ?? spec);
      const each = POOL + (metadata.name === 'gateway' ? HEAVY_POOL : 0);
      return (most + (spec.strategy?.rollingUpdate.maxSurge ?? NaN)) * each;
    });
    const sum = connections.reduce((before, next) => before + next, 0);
    const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    expect(operating).toContain(`at most ${sum} connections`);
  });

  it('gives each process longer to end than its drain takes', () => {
    for (const { metadata, spec } of all('Deployment')) {
      const asleep = asleepIn(spec);
      const grace = spec.template?.spec.terminationGracePeriodSeconds;
      expect([metadata.name, grace]).toEqual([metadata.name, expect.any(Number)]);
      expect(grace).toBeGreaterThanOrEqual(asleep + STOP_WITHIN_SECONDS + 5);
      // A Pod behind a Service still gets calls for a moment after its end began.
      const isCalled = all('Service').some((service) => service.metadata.name === metadata.name);
      expect([metadata.name, asleep > 0]).toEqual([metadata.name, isCalled]);
    }
  });

  it('keeps metrics off the public ingress', () => {
    const paths = all('Ingress').flatMap(({ spec }) => spec.rules ?? []);
    expect(paths.length).toBeGreaterThan(1);
    for (const { http } of paths) {
      const metrics = http.paths.find(({ path }) => path === '/metrics');
      expect(metrics?.backend.service.name).toBe('not-public');
    }
    const exposed = all('Service').flatMap(({ spec }) => spec.ports ?? []);
    expect(exposed.filter(({ targetPort, name }) => targetPort === 'health' || name === 'health')).toEqual([]);
  });

  it('lets in files as large as a gateway takes, with the form around them', () => {
    const sizes = (['MAX_IMPORT_BYTES', 'MAX_UPLOAD_BYTES'] as const).map((name) =>
      VARIABLES[name].read(name, undefined),
    );
    const gateway = all('Ingress').find(({ metadata }) => metadata.name === 'gateway');
    const size = gateway?.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '';
    expect(size).toMatch(/^\d+g$/);
    expect(parseInt(size, 10) * 1_073_741_824).toBeGreaterThan(Math.max(...sizes));
  });

  it('lets devices in over MQTT, with and without TLS, and WebSocket', () => {
    const ports = podOf('device-edge').containers.flatMap(({ ports: its }) =>
      its.map(({ name, containerPort }) => [name, containerPort]),
    );
    expect(ports).toEqual(expect.arrayContaining([['mqtt', 1883], ['mqtt-tls', 8883], ['mqtt-ws', 4433]])); // prettier-ignore
    const open = all('NetworkPolicy')
      .filter(({ spec }) => spec.podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'device-edge')
      .flatMap(({ spec }) => spec.ingress ?? [])
      .flatMap((rule) => rule.ports.map(({ port }) => port));
    expect(open.sort()).toEqual(['mqtt', 'mqtt-tls', 'mqtt-ws']);
    const service = all('Service').find(({ metadata }) => metadata.name === 'device-edge-public');
    expect(service?.spec.ports).toEqual([
      { name: 'mqtt-tls', port: 8883, targetPort: 'mqtt-tls' },
      { name: 'mqtt-wss', port: 443, targetPort: 'mqtt-ws' },
    ]);
  });

  it('gives the edges their certificate', () => {
    const { containers, volumes } = podOf('device-edge');
    expect(volumes).toMatchObject([{ name: 'tls', secret: { secretName: 'device-edge-tls' } }]);
    expect(containers).toMatchObject([{ volumeMounts: [{ name: 'tls', mountPath: '/etc/postrider/tls' }] }]);
    const settings = containers.flatMap(({ env = [] }) => env.filter(({ name }) => name.startsWith('MQTT_TLS_')));
    expect(settings.map(({ value }) => value)).toEqual(['/etc/postrider/tls/tls.crt', '/etc/postrider/tls/tls.key']);
  });

  it('lets out what processes call: databases, proxies, traces, and vendors over IPv4 and IPv6', () => {
    const policies = all('NetworkPolicy').filter(({ spec }) => spec.podSelector?.matchLabels === undefined);
    const rules = policies.flatMap(({ spec }) => spec.egress ?? []);
    const anywhere = rules.filter(({ to }) => to === undefined).flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(anywhere).toEqual([53, 53, 5432, 6432, 6379, 6380, 26379, 4318, 3128, 8080]);
    const outside = rules.find(({ to }) => to !== undefined);
    expect(outside?.ports.map(({ port }) => port)).toEqual([443, 2197]);
    expect(outside?.to?.map(({ ipBlock }) => ipBlock?.cidr)).toEqual(['0.0.0.0/0', '::/0']);
  });
});

describe('docker/compose.yaml', () => {
  it('gives each process longer to end than its drain takes', () => {
    const compose = parse(readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
      services: Record<string, { image: string; stop_grace_period?: string }>;
    };
    const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('postrider/'));
    expect(ours).toHaveLength(7);
    for (const [name, { stop_grace_period: period = '10s' }] of ours) {
      expect([name, parseInt(period, 10) >= STOP_WITHIN_SECONDS + 5]).toEqual([name, true]);
    }
  });

  it('has a process for each app that is deployed', () => {
    const compose = parse(readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
      services: Record<string, unknown>;
    };
    const deployed = readdirSync(join(ROOT, 'k8s/base'))
      .filter((name) => /^(?:gateway|device-edge|.*-worker)\.yaml$/.test(name))
      .map((name) => name.replace('.yaml', ''));
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(deployed));
  });
});

/** Returns the largest number of Pods. */
function mostOf({ maxReplicas, maxReplicaCount, replicas }: Rendered['spec']): number {
  return maxReplicas ?? maxReplicaCount ?? replicas ?? NaN;
}

/** Returns how many seconds the process waits before it is told to end. */
function asleepIn({ template }: Rendered['spec']): number {
  return template?.spec.containers[0]?.lifecycle?.preStop.sleep.seconds ?? 0;
}
