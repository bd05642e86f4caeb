import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parseAllDocuments, parse } from 'yaml';
import { IMAGES } from '../image/build-images';
import { prometheusRule } from '../monitoring/prometheus-rule';
import { NODE_FLAGS } from '../start/node-flags';

const ROOT = join(__dirname, '..', '..', '..');
const SCHEMAS = join(ROOT, '..', 'shared', 'oracles');

interface Manifest {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: { template?: { spec: PodSpec } };
  [field: string]: unknown;
}

interface PodSpec {
  initContainers?: PodSpec['containers'];
  containers: (Partial<Record<(typeof PROBES)[number], { httpGet: { port: string } }>> & {
    name: string;
    image: string;
    ports?: { name: string; containerPort: number }[];
    env?: { name: string; value?: string }[];
    envFrom?: { secretRef?: { name: string } }[];
    resources?: { limits?: { memory?: string } };
    securityContext?: Record<string, unknown>;
  })[];
}

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

/** What Node.js needs beside the heap of a program: code, stacks and buffers. */
const BESIDE_HEAP_MIB = 96;

interface SecretManifest {
  metadata: { name: string };
  stringData: Record<string, string>;
}

interface Selector {
  matchExpressions?: { key: string; values: string[] }[];
}

interface Selecting {
  selector: Selector;
}

interface Policy {
  podSelector: Selector;
  ingress?: { ports: { port: string }[]; from?: unknown[] }[];
}

/** Kubernetes' and KEDA's schemas by `apiVersion/kind`. */
const SCHEMA_FILES: Record<string, string> = {
  'v1/Namespace': 'k8s/namespace-v1.json',
  'v1/ConfigMap': 'k8s/configmap-v1.json',
  'v1/Secret': 'k8s/secret-v1.json',
  'v1/Service': 'k8s/service-v1.json',
  'v1/ServiceAccount': 'k8s/serviceaccount-v1.json',
  'apps/v1/Deployment': 'k8s/deployment-apps-v1.json',
  'policy/v1/PodDisruptionBudget': 'k8s/poddisruptionbudget-policy-v1.json',
  'networking.k8s.io/v1/NetworkPolicy': 'k8s/networkpolicy-networking-v1.json',
  'networking.k8s.io/v1/Ingress': 'k8s/ingress-networking-v1.json',
  'autoscaling/v2/HorizontalPodAutoscaler': 'k8s/horizontalpodautoscaler-autoscaling-v2.json',
  'monitoring.coreos.com/v1/PrometheusRule': 'k8s/monitoring.coreos.com-prometheusrule_v1.json',
  'monitoring.coreos.com/v1/PodMonitor': 'k8s/monitoring.coreos.com-podmonitor_v1.json',
  'keda.sh/v1alpha1/ScaledObject': 'keda/scaledobject_v1alpha1.json',
  'keda.sh/v1alpha1/TriggerAuthentication': 'keda/triggerauthentication_v1alpha1.json',
};

const manifests = [...read('k8s/base'), ...read('k8s/overlays/production')];

describe('the Kubernetes manifests', () => {
  const itWithSchemas = existsSync(SCHEMAS) ? it : it.skip;

  itWithSchemas.each(
    manifests.map((manifest) => [`${manifest.file}: ${manifest.kind} ${manifest.metadata.name}`, manifest]),
  )('are valid: %s (skipped where the vendors’ schemas are not at hand)', (_, manifest) => {
    const file = SCHEMA_FILES[`${manifest.apiVersion}/${manifest.kind}`];
    expect(file).toBeDefined();
    const validate = compile(join(SCHEMAS, file ?? ''));
    const isValid = validate(withoutFile(manifest));
    expect({ isValid, errors: validate.errors ?? [] }).toEqual({ isValid: true, errors: [] });
  });

  it('name only files that exist, and leave none out', () => {
    for (const folder of ['k8s/base', 'k8s/overlays/production']) {
      const { resources } = parse(readFileSync(join(ROOT, folder, 'kustomization.yaml'), 'utf8')) as {
        resources: string[];
      };
      const files = readdirSync(join(ROOT, folder)).filter((name) => name !== 'kustomization.yaml');
      expect(resources.filter((name) => !name.startsWith('..')).sort()).toEqual(files.sort());
    }
  });

  it('run every container as an ordinary user who cannot become another', () => {
    const containers = containersOf(manifests);
    expect(containers.length).toBeGreaterThanOrEqual(4);
    for (const container of containers) {
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
    }
  });

  it('run images that npm run image makes, and start what they say', () => {
    const containers = containersOf(manifests);
    const made = deployedImages();
    expect(containers.map(({ image }) => image).sort()).toEqual(made.map((name) => `postrider/${name}`).sort());
    expect(containers.filter((container) => 'command' in container)).toEqual([]);
    const { images } = parse(readFileSync(join(ROOT, 'k8s/overlays/production/kustomization.yaml'), 'utf8')) as {
      images: { name: string }[];
    };
    const deployed = new Set(containers.map(({ image }) => image));
    expect(images.map(({ name }) => name).sort()).toEqual([...deployed].sort());
  });

  it('bring the schema up to date before a new gateway starts, past a pooler when there is one', () => {
    const gateway = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway');
    const pastPooler = { name: 'postrider', key: 'MIGRATIONS_DATABASE_URL', optional: true };
    expect(gateway?.spec?.template?.spec.initContainers).toMatchObject([
      {
        image: 'postrider/migrations',
        envFrom: [{ secretRef: { name: 'postrider' } }],
        env: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: pastPooler } }],
      },
    ]);
    // A Job of one name could not be applied again with another tag.
    expect(manifests.filter(({ kind }) => kind === 'Job')).toEqual([]);
  });

  it('give Node.js the flags of npm start, and a heap that fits in the memory limit', () => {
    const programs = manifests.filter(({ kind }) => kind === 'Deployment');
    const flags = programs.map(({ metadata, spec }) => ({ app: metadata.name, ...heapOf(spec?.template?.spec) }));
    const ofStart = Object.entries(NODE_FLAGS).map(([app, words]) => [app, optionsIn(words ?? [])] as const);
    // npm start lets the audience worker grow as far as the machine allows.
    const smaller = { 'audience-worker': { '--max-old-space-size': 160 } } as Record<string, object>;
    expect(Object.fromEntries(flags.map(({ app, options }) => [app, options]))).toEqual({
      'device-edge': {},
      ...Object.fromEntries(ofStart.map(([app, options]) => [app, { ...options, ...smaller[app] }])),
    });
    const limited = flags.filter(({ options }) => '--max-old-space-size' in options);
    expect(limited.map(({ app }) => app).sort()).toEqual([
      'audience-worker',
      'delivery-worker',
      'delivery-worker-transactional',
    ]);
    const tooLarge = limited.filter(({ options, limitMiB }) => heapMiB(options) + BESIDE_HEAP_MIB > limitMiB);
    expect(tooLarge).toEqual([]);
  });

  it('keep a budget, probes and requests for every deployment', () => {
    const names = (kind: string): string[] =>
      manifests
        .filter((one) => one.kind === kind)
        .map((one) => one.metadata.name)
        .sort();
    expect(names('PodDisruptionBudget')).toEqual(names('Deployment'));
    for (const deployment of manifests.filter(({ kind }) => kind === 'Deployment')) {
      for (const container of deployment.spec?.template?.spec.containers ?? []) {
        expect(Object.keys(container)).toEqual(
          expect.arrayContaining(['livenessProbe', 'readinessProbe', 'resources']),
        );
      }
    }
  });

  it('probe every container on its health port', () => {
    for (const { spec, metadata } of manifests.filter(({ kind }) => kind === 'Deployment')) {
      for (const container of spec?.template?.spec.containers ?? []) {
        const probed = PROBES.map((probe) => container[probe]?.httpGet.port);
        expect([metadata.name, probed]).toEqual([metadata.name, ['health', 'health', 'health']]);
        expect(container.ports).toContainEqual({ name: 'health', containerPort: 9090 });
      }
    }
  });

  it('let monitoring, and nobody else, read the metrics of every process on its health port', () => {
    const names = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    const monitor = manifests.find(({ kind }) => kind === 'PodMonitor')?.spec as unknown as Selecting & {
      podMetricsEndpoints: { port: string }[];
    };
    expect(monitor.podMetricsEndpoints.map(({ port }) => port)).toEqual(['health']);
    expect(namesIn(monitor.selector)).toEqual(names.sort());
    const policies = manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => spec as unknown as Policy);
    const toHealth = policies.filter(({ ingress = [] }) => ingress.some(({ ports }) => ports[0]?.port === 'health'));
    expect(toHealth.map(({ podSelector }) => namesIn(podSelector))).toEqual([names]);
    expect(toHealth[0]?.ingress?.[0]?.from).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
  });

  it('alert by the rules of monitoring/alerts (npm run alerts)', () => {
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule && withoutFile(rule)).toEqual(prometheusRule());
  });

  it('give the operator’s token to the gateway alone', () => {
    const secrets = manifests.filter(({ kind }) => kind === 'Secret') as unknown as SecretManifest[];
    const holding = secrets
      .filter(({ stringData }) => 'ADMIN_TOKEN' in stringData)
      .map(({ metadata }) => metadata.name);
    expect(holding).toEqual(['postrider-gateway']);
    const given = manifests.filter(({ spec }) =>
      spec?.template?.spec.containers.some(({ envFrom = [] }) =>
        envFrom.some(({ secretRef }) => secretRef?.name === 'postrider-gateway'),
      ),
    );
    expect(given.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Deployment gateway']);
  });
});

describe('docker/compose.yaml', () => {
  const compose = parse(readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image: string; read_only?: boolean; environment?: { NODE_OPTIONS?: string } }>;
  };

  it('runs images that npm run image makes, of the version of this tree, on a root that cannot be written', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const ours = Object.values(compose.services).filter(({ image }) => image.startsWith('postrider/'));
    const images = ours.map(({ image }) => image);
    const made = deployedImages();
    expect(images.sort()).toEqual(made.map((name) => `postrider/${name}:\${POSTRIDER_TAG:-${version}}`).sort());
    expect(ours.map(({ read_only }) => read_only)).toEqual(ours.map(() => true));
  });

  it('gives the operator’s token to the gateway alone', () => {
    const given = Object.entries(compose.services).filter(([, { environment = {} }]) => 'ADMIN_TOKEN' in environment);
    expect(given.map(([name]) => name)).toEqual(['gateway']);
  });

  it('gives Node.js the flags of npm start', () => {
    const flags = Object.entries(compose.services).flatMap(([name, { environment = {} }]) =>
      environment.NODE_OPTIONS === undefined ? [] : [[name, environment.NODE_OPTIONS.split(' ')] as const],
    );
    expect(Object.fromEntries(flags)).toEqual(NODE_FLAGS);
  });
});

/** Returns the flags of Node.js in the container of a pod, and its memory limit. */
function heapOf(pod?: PodSpec): { options: Record<string, number>; limitMiB: number } {
  const { env = [], resources } = pod?.containers[0] ?? {};
  const flags = env.flatMap(({ name, value = '' }) => (name === 'NODE_OPTIONS' ? value.split(' ') : []));
  const limit = resources?.limits?.memory ?? '';
  return { options: optionsIn(flags), limitMiB: limit.endsWith('Mi') ? parseInt(limit, 10) : Infinity };
}

/** Returns the values of flags such as `--max-old-space-size=160`. */
function optionsIn(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    words.filter((word) => word !== '').map((word) => [word.split('=')[0] as string, Number(word.split('=')[1])]),
  );
}

/** Returns how large the heap becomes: V8's young generation has three semi-spaces. */
function heapMiB(options: Record<string, number>): number {
  return (options['--max-old-space-size'] ?? 0) + 3 * (options['--max-semi-space-size'] ?? 0);
}

function read(folder: string): Manifest[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) =>
      parseAllDocuments(readFileSync(join(ROOT, folder, name), 'utf8')).map((document) => ({
        ...(document.toJS() as Omit<Manifest, 'file'>),
        file: `${folder}/${name}`,
      })),
    ) as Manifest[];
}

/** All containers, including those that run first. */
function containersOf(some: readonly Manifest[]): PodSpec['containers'] {
  const pods = some.flatMap((manifest) => manifest.spec?.template?.spec ?? []);
  return pods.flatMap(({ initContainers = [], containers }) => [...initContainers, ...containers]);
}

/** The processes that a selector names. */
function namesIn({ matchExpressions = [] }: Selector): string[] {
  return matchExpressions.flatMap(({ key, values }) => (key === 'app.kubernetes.io/name' ? [...values].sort() : []));
}

function withoutFile(manifest: Manifest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => field !== 'file'));
}

function compile(file: string): ReturnType<Ajv['compile']> {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of ['int32', 'int64', 'int-or-string', 'double', 'quantity']) ajv.addFormat(format, true);
  // Go's sign for "ignore case", which JavaScript does not have.
  const text = readFileSync(file, 'utf8').replaceAll('(?i)', '');
  const schema = JSON.parse(text) as Record<string, unknown>;
  delete schema.$schema;
  return ajv.compile(schema);
}

/** Returns the name of the image of each process: there are two delivery workers, one for each lane. */
function deployedImages(): string[] {
  return [...Object.keys(IMAGES).filter((name) => name !== 'vendor-simulator'), 'delivery-worker'];
}
