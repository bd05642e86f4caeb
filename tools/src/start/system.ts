import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostInUrl, readVariable } from '@postrider/platform';
import { freePort } from '../embedded/free-port';
import type { Databases } from '../services/databases';
import type { Secrets } from '../services/secrets';
import { bundleAuthorities } from './certificates';
import type { SimulatorCredentials } from './demo/demo-application';
import { NODE_FLAGS } from './node-flags';
import { claimPort } from './ports';
import { step } from './progress';
import { SupervisedProcess } from './supervised-process';

/** Every process of Postrider on this machine, and how to reach them. */
export interface RunningSystem {
  gatewayUrl: string;
  /** The address of the second gateway, if there are two of everything. */
  secondGatewayUrl: string | null;
  simulatorUrl: string;
  /** The simulator's vendor port and the authority that signed its certificate. */
  simulatorTls: { url: string; ca: string };
  simulator: SimulatorCredentials;
  logFolder: string;
  /** The addresses for devices: MQTT over TCP and over WebSocket. Null: no device edge runs. */
  mqtt: { url: string; webSocketUrl: string } | null;
  /** The process id of one app, while it runs. */
  pidOf(app: AppName, copy?: Copy): number | undefined;
  /** Kills one app without warning, or with another signal; it is started again. */
  kill(app: AppName, signal?: NodeJS.Signals, copy?: Copy): void;
  /** Starts one more process of an app and waits until it is ready. It stops with the system at the latest. */
  startAnother(app: AppName): Promise<SupervisedProcess>;
  stop(): Promise<void>;
}

/** Which of the processes of an app: there are two where the ports of a second are given. */
export type Copy = 1 | 2;

/** The processes of a system. `delivery-worker-transactional` is the delivery worker of named users. */
export type AppName = 'vendor-simulator' | 'gateway' | WorkerName | 'device-edge';

/** The processes that work on queues. */
export type WorkerName = (typeof WORKERS)[number];

const WORKERS = ['audience-worker', 'delivery-worker', 'delivery-worker-transactional', 'promo-worker'] as const;

/** The app whose program a process runs, where its name differs. */
const PROGRAMS: Partial<Record<AppName, string>> = { 'delivery-worker-transactional': 'delivery-worker' };

/** The ports that must be free. They are checked before anything starts. */
interface Ports {
  gateway: number;
  simulator: number;
  simulatorControl: number;
  /** Without these two no device edge runs. */
  mqtt?: number;
  mqttWebSocket?: number;
  /** Left out: the edge has no certificate. */
  mqttTls?: number;
  /** With these, a second process of each app runs, except the simulator. */
  second?: { gateway: number; mqtt?: number; mqttWebSocket?: number };
}

/** @throws PortTaken, naming the variable that chooses another */
export async function claimPorts(env = process.env): Promise<Ports> {
  const hasCertificate = Boolean(env.MQTT_TLS_CERT);
  return {
    gateway: await claimPort('PORT', 'gateway', env),
    simulator: await claimPort('SIMULATOR_PORT', 'vendor simulator', env),
    simulatorControl: await claimPort('SIMULATOR_CONTROL_PORT', "vendor simulator's inbox", env),
    mqtt: await claimPort('MQTT_PORT', 'MQTT', env),
    mqttWebSocket: await claimPort('MQTT_WS_PORT', 'MQTT over WebSocket', env),
    ...(hasCertificate ? { mqttTls: await claimPort('MQTT_TLS_PORT', 'MQTT over TLS', env) } : {}),
  };
}

/**
 * The folder in which V8 stores compiled code of the programs for the next process of each, which then starts in half
 * the time: the value of `COMPILED_PROGRAMS` in a plan's `env` (`keep-compiled.ts`).
 */
export const COMPILED_PROGRAMS = join(__dirname, '..', '..', '..', '.cache', 'compiled-programs');

/** What to start, and on what. */
interface SystemPlan {
  dataDir: string;
  secrets: Secrets;
  databases: Databases;
  ports: Ports;
  /**
   * Which workers run; left out: all of them, but one delivery worker only if `DELIVERY_LANES` is set. Without
   * `delivery-worker-transactional` the delivery worker sends the pages of named users too.
   */
  workers?: readonly WorkerName[];
  /** Prints nothing. */
  quiet?: boolean;
  /** Further environment variables of every process. */
  env?: Record<string, string>;
  /** Further ones of each process of an app; the simulator has none. */
  envOf?: (app: AppName, copy: Copy) => NodeJS.ProcessEnv;
  /** The folder that contains the folder of each app, with its `bundle` in it. */
  appsFolder?: string;
  /** The Node.js that runs the processes; left out: the one that runs this. */
  node?: string;
}

/** Starts the simulator, then gateway and workers side by side, and waits until each says that it is ready. */
export async function startSystem(plan: SystemPlan): Promise<RunningSystem> {
  const { dataDir, ports, workers = usualWorkers(plan) } = plan;
  const logFolder = join(dataDir, 'logs');
  await mkdir(logFolder, { recursive: true });
  const processes = new Map<string, SupervisedProcess>();
  const launch = new Launch({ ...plan, workers }, logFolder, processes);
  const announce = plan.quiet ? (_: string, work: () => Promise<unknown>) => work() : step;
  const host = hostInUrl(readVariable('HOST'));
  const simulatorUrl = `http://${host}:${ports.simulatorControl}`;
  const gatewayUrl = `http://${host}:${ports.gateway}`;
  const ca = join(dataDir, 'simulator', 'ca.pem');
  try {
    await announce(
      'Vendor simulator',
      () => launch.run('vendor-simulator', 'vendor-simulator', `${simulatorUrl}/health/ready`, {}),
      () => simulatorUrl,
    );
    const trusting = { NODE_EXTRA_CA_CERTS: await bundleAuthorities(dataDir, ca) };
    const start = (name: AppName): Promise<void> => launch.start(name, trusting);
    await announce(
      'Gateway',
      () => start('gateway'),
      () => gatewayUrl,
    );
    if (workers.length > 0) {
      await announce(
        'Workers',
        () => Promise.all(workers.map(start)),
        () => workers.map((name) => name.replace('-worker', '').replace('-', ' ')).join(', '),
      );
    }
    const edge = mqttAddresses(ports, host);
    if (edge !== null) await announce('Device edge', () => start('device-edge'), () => edge.url); // prettier-ignore
    const credentials = await readFile(join(dataDir, 'simulator', 'credentials.json'), 'utf8');
    return {
      gatewayUrl,
      secondGatewayUrl: ports.second === undefined ? null : `http://${host}:${ports.second.gateway}`,
      simulatorUrl,
      simulatorTls: { url: `https://localhost:${ports.simulator}`, ca },
      simulator: JSON.parse(credentials) as SimulatorCredentials,
      logFolder,
      mqtt: edge,
      pidOf: (app, copy = 1) => processes.get(nameOf(app, copy))?.pid,
      kill: (app, signal, copy = 1) => processes.get(nameOf(app, copy))?.kill(signal),
      startAnother: (app) => launch.another(app, trusting),
      stop: () => stopAll([...processes.values()]),
    };
  } catch (error) {
    await stopAll([...processes.values()]);
    throw error;
  }
}

/** Starts processes by a plan. */
class Launch {
  constructor(
    private readonly plan: SystemPlan,
    private readonly logFolder: string,
    private readonly processes: Map<string, SupervisedProcess>,
  ) {}

  /** Starts an app, both its processes where there are two, and waits until they are ready. */
  async start(app: AppName, extra: NodeJS.ProcessEnv): Promise<void> {
    const copies: Copy[] = this.plan.ports.second === undefined ? [1] : [1, 2];
    await Promise.all(
      copies.map(async (copy) => {
        const { port, readyUrl } = await this.healthOf();
        const ports = { ...portsOf(copy, this.plan.ports), HEALTH_PORT: String(port) };
        const own = { ...extra, ...ports, ...this.plan.envOf?.(app, copy) };
        await this.run(app, nameOf(app, copy), readyUrl, own);
      }),
    );
  }

  /** Starts one more process of an app, which serves no port of its own but that of its health. */
  async another(app: AppName, extra: NodeJS.ProcessEnv): Promise<SupervisedProcess> {
    const { port, readyUrl } = await this.healthOf();
    const own = { ...extra, HEALTH_PORT: String(port), ...this.plan.envOf?.(app, 1) };
    return this.run(app, `${app}-${this.processes.size + 1}`, readyUrl, own);
  }

  /** Returns a free port for the health of one process, and where that is asked. */
  private async healthOf(): Promise<{ port: number; readyUrl: string }> {
    const host = readVariable('HOST');
    const port = await freePort(host);
    return { port, readyUrl: `http://${hostInUrl(host)}:${port}/health/ready` };
  }

  /** Starts one process and waits until `readyUrl` says that it is ready. */
  async run(app: AppName, name: string, readyUrl: string, extra: NodeJS.ProcessEnv): Promise<SupervisedProcess> {
    const nodeFlags = NODE_FLAGS[app] ?? [];
    const env = { ...environment(app, this.plan), ...extra };
    const script = join(this.plan.appsFolder ?? 'apps', PROGRAMS[app] ?? app, 'bundle', 'main.js');
    const program = { name, node: this.plan.node, script, env, nodeFlags, readyUrl };
    const supervised = new SupervisedProcess(program, this.logFolder);
    this.processes.set(name, supervised);
    await supervised.untilReady();
    return supervised;
  }
}

/** Returns every worker. `DELIVERY_LANES` says what a single delivery worker does, so there is no second one with it. */
function usualWorkers({ env = {} }: SystemPlan): readonly WorkerName[] {
  const lanes = env.DELIVERY_LANES ?? process.env.DELIVERY_LANES ?? '';
  return lanes === '' ? WORKERS : WORKERS.filter((name) => name !== 'delivery-worker-transactional');
}

/** Returns the lanes of the delivery workers, if there is one for each. */
function lanesOf(app: AppName, { workers = [] }: SystemPlan): NodeJS.ProcessEnv {
  if (app === 'delivery-worker-transactional') return { DELIVERY_LANES: 'transactional' };
  const hasOther = workers.includes('delivery-worker-transactional');
  return app === 'delivery-worker' && hasOther ? { DELIVERY_LANES: 'campaign' } : {};
}

function nameOf(app: AppName, copy: Copy): string {
  return copy === 1 ? app : `${app}-${copy}`;
}

/** Returns the ports of one gateway and one edge, as their environment names them. */
function portsOf(copy: Copy, ports: Ports): NodeJS.ProcessEnv {
  const { gateway, mqtt, mqttWebSocket } = copy === 2 && ports.second ? ports.second : ports;
  const ofEdge = mqtt === undefined ? {} : { MQTT_PORT: String(mqtt), MQTT_WS_PORT: String(mqttWebSocket) };
  const overTls = ports.mqttTls === undefined ? {} : { MQTT_TLS_PORT: String(ports.mqttTls) };
  return { PORT: String(gateway), ...ofEdge, ...overTls };
}

function mqttAddresses({ mqtt, mqttWebSocket }: Ports, host: string): RunningSystem['mqtt'] {
  if (mqtt === undefined || mqttWebSocket === undefined) return null;
  return { url: `mqtt://${host}:${mqtt}`, webSocketUrl: `ws://${host}:${mqttWebSocket}` };
}

/** The simulator stops last: calls in flight to it may finish. */
async function stopAll([simulator, ...apps]: SupervisedProcess[]): Promise<void> {
  await Promise.all(apps.map((app) => app.stop()));
  await simulator?.stop();
}

/** Returns the environment of a process; only the gateway gets the operator's token. */
function environment(app: AppName, plan: SystemPlan): NodeJS.ProcessEnv {
  const { dataDir, secrets, databases, ports, env } = plan;
  return {
    LOG_FORMAT: 'json',
    HOST: '127.0.0.1',
    ALLOW_PRIVATE_ENDPOINTS: 'true',
    PUBLIC_DOCS: 'true',
    ALLOW_PRIVATE_PUSH_SERVICES: 'true',
    SECRET_KEY: secrets.secretKey,
    ...withoutEmpty(process.env),
    ADMIN_TOKEN: app === 'gateway' ? secrets.adminToken : undefined,
    // One name for all would give each of them the leases of the others.
    INSTANCE_ID: undefined,
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    DATABASE_URL: databases.databaseUrl,
    REDIS_URL: databases.redisUrl,
    ...portsOf(1, ports),
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_CONTROL_PORT: String(ports.simulatorControl),
    ...env,
    ...lanesOf(app, plan),
  };
}

/** Returns the variables that have a value: an empty one counts as not set, here as in every process. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
}
