import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../embedded/free-port';
import { type RunningSystem, startSystem } from './system';

const onLinux = process.platform === 'linux' ? it : it.skip;

const APPS = ['vendor-simulator', 'gateway', 'audience-worker', 'delivery-worker', 'promo-worker', 'device-edge'];

/** Stands for every app: is ready at once, at the port and the address that it is told, and keeps what it was given. */
const PROGRAM = `
  const { createServer } = require('node:http');
  const { mkdirSync, writeFileSync } = require('node:fs');
  const { DATA_DIR, HOST, HEALTH_PORT = process.env.SIMULATOR_CONTROL_PORT } = process.env;
  mkdirSync(DATA_DIR + '/simulator', { recursive: true });
  writeFileSync(DATA_DIR + '/simulator/ca.pem', '');
  writeFileSync(DATA_DIR + '/simulator/credentials.json', '{}');
  writeFileSync(DATA_DIR + '/' + process.pid + '.env', JSON.stringify(process.env));
  createServer((_, response) => response.end()).listen(HEALTH_PORT, HOST);`;

describe('the processes of npm start', () => {
  const before = new Map<string, string | undefined>();
  let folder: string;
  let system: RunningSystem | undefined;

  /** Starts every process, with these variables in the environment of the start. */
  async function start(variables: NodeJS.ProcessEnv = {}): Promise<RunningSystem> {
    for (const name of Object.keys(variables)) before.set(name, process.env[name]);
    Object.assign(process.env, variables);
    const [gateway, simulator, simulatorControl, mqtt, mqttWebSocket] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    return (system = await startSystem({
      dataDir: folder,
      secrets: { adminToken: 'a', secretKey: 'b', databasePassword: 'c' },
      databases: {
        databaseUrl: 'postgres://db/x',
        redisUrl: 'redis://cache',
        description: { postgres: '', redis: '' },
        stop: () => Promise.resolve(),
      },
      ports: { gateway, simulator, simulatorControl, mqtt, mqttWebSocket },
      appsFolder: join(folder, 'apps'),
      quiet: true,
    }));
  }

  /** Returns what each process was given. */
  async function environments(): Promise<NodeJS.ProcessEnv[]> {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.env'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.map((text) => JSON.parse(text) as NodeJS.ProcessEnv);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'system-'));
    for (const app of APPS) {
      await mkdir(join(folder, 'apps', app, 'bundle'), { recursive: true });
      await writeFile(join(folder, 'apps', app, 'bundle', 'main.js'), PROGRAM);
    }
  });
  afterEach(async () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    before.clear();
    await system?.stop();
    system = undefined;
    await rm(folder, { recursive: true });
  });

  it('have a name of their own each, also if the start was given one', async () => {
    await start({ INSTANCE_ID: 'mine' });
    const given = await environments();
    expect(given).toHaveLength(7);
    expect(given.map((env) => env.INSTANCE_ID)).toEqual(given.map(() => undefined));
  });

  it('have what the start gives them where a variable is empty', async () => {
    await start({ SECRET_KEY: '', ALLOW_PRIVATE_ENDPOINTS: '' });
    const [given] = await environments();
    expect(given).toMatchObject({ SECRET_KEY: 'b', ALLOW_PRIVATE_ENDPOINTS: 'true' });
  });

  // Other systems have one loopback address.
  onLinux('are reached at the one address that they listen on', async () => {
    const { gatewayUrl, simulatorUrl, mqtt } = await start({ HOST: '127.0.0.2' });
    const hosts = [gatewayUrl, simulatorUrl, mqtt?.url, mqtt?.webSocketUrl].map((url = '') => new URL(url).hostname);
    expect(hosts).toEqual(hosts.map(() => '127.0.0.2'));
  });

  it('are reached on loopback where they listen on all addresses', async () => {
    const { gatewayUrl } = await start({ HOST: '0.0.0.0' });
    expect(new URL(gatewayUrl).hostname).toBe('127.0.0.1');
  });
});
