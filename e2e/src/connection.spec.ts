import { type ChildProcess, spawn } from 'node:child_process';
import { connect as connectSocket } from 'node:net';
import { generate } from 'mqtt-packet';
import { Redis } from 'ioredis';
import { startRedis } from '@postrider/tools/embedded/redis';
import { until } from '@postrider/testing';
import { type ConnectedDevice, connectDevice, type Device, register } from './support/device';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';
import { playRound, type RoundResult, sumUp } from './support/round-of-messages';

/** More of them find what one does not: a thousand take twenty minutes. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const ROUNDS_AT_ONCE = 20;
/** The rest of an edge's round beside its pages is read some seconds after the device connected. */
const ROUND_LASTS_MS = ROUNDS > 1 ? 15_000 : 0;

interface Message {
  totals: Record<string, number>;
  count: number;
}

describe('the own connection', () => {
  let postrider: Postrider;
  let app: Awaited<ReturnType<Postrider['createApplication']>>;
  let token: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    postrider = await startPostrider({ CONNECTION_ACK_TIMEOUT_MS: '1500' });
    app = await postrider.createApplication('shop');
    const { body } = await postrider.admin.call<{ token: string }>('POST', '/api/admin/apps/shop/tokens', {
      name: 'devices that send',
      scopes: ['devices', 'send'],
    });
    token = body.token;
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => postrider.stop());

  const url = (): string => postrider.system.mqtt?.url ?? '';
  const port = (): number => Number(new URL(url()).port);
  const device = (userId: string, fields: Record<string, unknown> = {}): Promise<Device> =>
    register(app.client, { appId: 'shop', token, userId, ...fields });
  const send = async (body: object): Promise<{ id: string; count: number }> => {
    const answer = await app.server.call<{ count: number }>('POST', '/api/push/toUsers', body);
    return { id: answer.headers.get('x-message-id') ?? '', count: answer.body.count };
  };
  const read = async (id: string): Promise<Message> =>
    (await app.server.call<Message>('GET', `/api/push/messages/${id}`)).body;
  const isOnline = async ({ installationId }: Device): Promise<boolean> =>
    (await app.client.call<{ online: boolean }>('GET', `/api/installations/${installationId}/presence`)).body.online;

  /** Returns the output of a command, line by line. */
  const run = (command: string, parameters: readonly string[]): { child: ChildProcess; lines: string[] } => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const lines: string[] = [];
    child.stdout.on('data', (text: Buffer) => lines.push(...text.toString('utf8').split('\n').filter(Boolean)));
    return { child, lines };
  };
  const credentials = (one: Device): string[] => [
    '-h',
    '127.0.0.1',
    '-p',
    String(port()),
    '-i',
    one.clientId,
    '-u',
    token,
    '-P',
    token,
  ];

  it.each(['mqttv31', 'mqttv311', 'mqttv5'])(
    'serves mosquitto’s client with %s, and knows whether it is there',
    async (version) => {
      const one = await device(`mosquitto-${version}`);
      expect(await isOnline(one)).toBe(false);
      const { child, lines } = run('mosquitto_sub', [
        ...credentials(one),
        '-V',
        version,
        '-q',
        '1',
        '-v',
        '-t',
        one.topics.user,
        '-t',
        'app/shop/user/public/default',
      ]);
      await until(() => isOnline(one));
      const { id, count } = await send({
        user: one.userId,
        content: 'Hi',
        notification: { title: 'T' },
        data: { n: 1 },
      });
      expect(count).toBe(1);
      const line = await until(() => Promise.resolve(lines[0]));
      const [topic, ...json] = line.split(' ');
      expect(topic).toBe(one.topics.user);
      expect(JSON.parse(json.join(' '))).toMatchObject({
        id,
        content: 'Hi',
        data: { n: 1 },
        notification: { title: 'T', notifDelivery: true },
      });
      await until(async () => (await read(id)).totals.delivered === 1);
      child.kill('SIGKILL');
      await until(async () => !(await isOnline(one)));
    },
  );

  it('sends everything once and in order over a connection that is never cut', async () => {
    const results: RoundResult[] = [];
    let begun = 0;
    const playSome = async (): Promise<void> => {
      while (begun < ROUNDS) {
        const number = begun++;
        const one = await device(`never-cut-${number}`);
        const isSentToBeforehand = number % 2 === 1;
        const round = { server: app.server, mqttUrl: url(), device: one, isSentToBeforehand, lastsMs: ROUND_LASTS_MS };
        results.push(await playRound(round));
        if (results.length % 50 === 0) process.stdout.write(`${JSON.stringify(sumUp(results))}\n`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(ROUNDS, ROUNDS_AT_ONCE) }, playSome));
    expect(sumUp(results)).toMatchObject({
      rounds: ROUNDS,
      connections: ROUNDS,
      missing: 0,
      repeats: 0,
      disordered: 0,
    });
  }, 3_600_000);

  it('takes what a client sends as a REST call would, and tells an MQTT 5 client what is wrong', async () => {
    const [from, to] = [await device('from'), await device('to')];
    const receiving = await connectDevice(url(), to);
    const sending = await connectDevice(url(), from, { protocolVersion: 5 });
    const topic = 'app/shop/publish/to/default';
    await sending.client.publishAsync(topic, JSON.stringify({ id: 'm-1', content: 'From a friend' }), { qos: 1 });
    await sending.client.publishAsync(topic, JSON.stringify({ id: 'm-1', content: 'From a friend' }), { qos: 1 });
    const refusal: unknown = await sending.client
      .publishAsync(topic, JSON.stringify({ content: 7 }), { qos: 1 })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 0x99 });
    await until(() => Promise.resolve(receiving.received.length === 1));
    await receiving.client.endAsync();
    await sending.client.endAsync();
  });

  it('needs no Redis: with it gone, connected devices still get everything', async () => {
    const one = await device('without-redis');
    const connected = await connectDevice(url(), one);
    const redis = new Redis(postrider.redis.url);
    await redis.client('KILL', 'TYPE', 'pubsub');
    redis.disconnect();
    await send({ user: one.userId, content: 'one' });
    await until(() => Promise.resolve(connected.received.length === 1));
    await postrider.redis.stop();
    await send({ user: one.userId, content: 'two' });
    await until(() => Promise.resolve(connected.received.length === 2));
    await connected.client.endAsync();
    postrider.redis = await startRedis({ port: Number(new URL(postrider.redis.url).port) });
  });

  it('falls back on vendor push, with the same id and once, when a connection acknowledges nothing', async () => {
    const one = await device('half-dead', { deviceToken: 'half-dead-token' });
    const socket = connectSocket(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    const { clientId } = one;
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clientId,
        clean: false,
        username: token,
        password: Buffer.from(token),
      }),
    );
    socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: one.topics.user, qos: 1 }] }));
    await until(() => isOnline(one));
    const { id, count } = await send({ user: one.userId, content: 'Are you there?' });
    expect(count).toBe(1);
    const simulator = new Simulator(postrider.system.simulatorUrl);
    await simulator.configure({ countedTokens: 1_000 });
    await until(async () => (await simulator.tokens()).get('half-dead-token') === 1, 100);
    await until(async () => (await read(id)).totals.sent === 1);
    expect((await simulator.tokens()).get('half-dead-token')).toBe(1);
    socket.destroy();
    // It is in the inbox as well: the app that opens has it, and says so.
    const opened = await connectDevice(url(), one);
    await until(() => Promise.resolve(opened.received.includes(id)));
    await until(async () => (await read(id)).totals.delivered === 1);
    await opened.client.endAsync();
  });

  it('loses nothing, and counts right, when the edge is killed under a thousand devices', async () => {
    const users = Array.from({ length: 1_000 }, (_, n) => `crowd-${n}`);
    const devices: Device[] = [];
    for (let from = 0; from < users.length; from += 50) {
      devices.push(...(await Promise.all(users.slice(from, from + 50).map((user) => device(user)))));
    }
    const connected: ConnectedDevice[] = [];
    for (let from = 0; from < devices.length; from += 100) {
      connected.push(...(await Promise.all(devices.slice(from, from + 100).map((one) => connectDevice(url(), one)))));
    }
    const ids: string[] = [];
    const sendTo = async (content: string): Promise<void> => {
      ids.push((await send({ users, content })).id);
    };
    await sendTo('before');
    await sendTo('at the very moment');
    postrider.system.kill('device-edge');
    await sendTo('while it is away');
    await until(() => Promise.resolve(connected.every(({ received }) => new Set(received).size === 3)), 100);
    for (const id of ids) await until(async () => (await read(id)).totals.delivered === users.length, 200);
    for (const { received } of connected) expect([...new Set(received)].sort()).toEqual([...ids].sort());
    const group = {
      segment: { all: [{ name: 'online', operator: 'equal_to', value: true }] },
      content: 'To who is here',
    };
    const counted = await app.server.call<{ count: number }>('POST', '/api/push/byQuery?dryRun=true', group);
    expect(counted.body.count).toBe(users.length);
    await Promise.all(connected.map(({ client }) => client.endAsync(true)));
  });
});
