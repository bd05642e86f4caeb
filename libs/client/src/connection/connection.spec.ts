import { EventEmitter } from 'node:events';
import type { IClientOptions, MqttClient } from 'mqtt';
import { PostriderError } from '../rest/postrider-error';
import { backoffMs } from './backoff';
import { Connection } from './connection';
import { topicsOf, type TopicOwner } from '../registration/installation';

/** The end of a connection that the spec holds. */
class FakeMqtt extends EventEmitter {
  handleMessage: (packet: { payload: Buffer }, done: (error?: Error) => void) => void = () => undefined;
  topics: string[] = [];
  isEnded = false;
  pings = 0;

  constructor(readonly options: IClientOptions) {
    super();
  }

  subscribe(topics: string[], _: object, done: (error: Error | null) => void): void {
    this.topics = topics;
    done(null);
  }

  sendPing(): void {
    this.pings++;
  }

  end(): void {
    this.isEnded = true;
    this.emit('close');
  }

  endAsync(): Promise<void> {
    this.end();
    return Promise.resolve();
  }

  deliver(payload: object): Promise<Error | undefined> {
    return new Promise((done) => this.handleMessage({ payload: Buffer.from(JSON.stringify(payload)) }, done));
  }
}

const ADA: TopicOwner = { appId: 'shop', userId: 'ada', installationId: 'i-1', channels: [] };

function start(
  identify: (isUnknown: boolean) => Promise<TopicOwner> = () => Promise.resolve(ADA),
  loaded: () => Promise<void> = () => Promise.resolve(),
): {
  connection: Connection;
  ends: FakeMqtt[];
  log: string[];
  asked: boolean[];
} {
  const ends: FakeMqtt[] = [];
  const log: string[] = [];
  const asked: boolean[] = [];
  const connection = new Connection(
    { connectionUrl: 'wss://push.example:4433', token: 'secret', keepAliveSeconds: 180 },
    {
      identify: (isUnknown) => {
        asked.push(isUnknown);
        return identify(isUnknown);
      },
      received: (payload) => {
        log.push(`message ${payload}`);
        return Promise.resolve();
      },
      connected: ({ userId }) => log.push(`connected ${userId}`),
      gaveUp: () => log.push('gave up'),
      disconnected: (reason, retryInMs) => log.push(`${reason} ${retryInMs === null ? 'for good' : 'retry'}`),
      failed: ({ code }) => log.push(`error ${code}`),
    },
    async () => {
      await loaded();
      return (_, options) => {
        const end = new FakeMqtt(options);
        ends.push(end);
        return end as unknown as MqttClient;
      };
    },
  );
  return { connection, ends, log, asked };
}

const soon = (): Promise<void> => jest.advanceTimersByTimeAsync(0).then(() => undefined);

describe('the connection of a client', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('connects under the name of its device, subscribes, and acknowledges what was taken', async () => {
    const { connection, ends, log } = start();
    connection.start();
    await soon();
    expect(ends[0]?.options).toMatchObject({
      clientId: 'shop/ada/i-1',
      username: 'secret',
      clean: false,
      keepalive: 180,
    });
    ends[0]?.emit('connect');
    expect(ends[0]?.topics).toEqual(['app/shop/user/ada/default', 'app/shop/user/ada/i-1']);
    expect(await ends[0]?.deliver({ id: 'm' })).toBeUndefined();
    expect(log).toEqual(['connected ada', 'message {"id":"m"}']);
    expect(connection.isOpen).toBe(true);
  });

  it('comes back after a loss, ever later, and at once when there is reason to', async () => {
    const { connection, ends, log } = start();
    connection.start();
    await soon();
    ends[0]?.emit('connect');
    ends[0]?.emit('close');
    expect(log).toEqual(['connected ada', 'lost retry']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(2);
    ends[1]?.emit('close');
    await jest.advanceTimersByTimeAsync(999);
    expect(ends).toHaveLength(2);
    connection.checkNow();
    await soon();
    expect(ends).toHaveLength(3);
    ends[0]?.emit('connect');
    expect(connection.isOpen).toBe(false);
  });

  it.each([
    [40_000, 40_000],
    // No longer than anybody may ask for.
    [365 * 86_400_000, 6 * 3_600_000],
  ])('waits as long as the service asks that refuses the registration: %d', async (retryAfterMs, waitsMs) => {
    const later = new PostriderError('UNAVAILABLE', 'later', { status: 503, retryAfterMs });
    const { connection, asked } = start(() => Promise.reject(later));
    connection.start();
    await jest.advanceTimersByTimeAsync(waitsMs - 1);
    expect(asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1_001);
    expect(asked).toHaveLength(2);
    connection.checkNow();
    expect(asked).toHaveLength(3);
  });

  it('registers the device when it is not known', async () => {
    const { connection, ends, asked } = start();
    connection.start();
    await soon();
    ends[0]?.emit('error', Object.assign(new Error('Not authorized'), { code: 0x87 }));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([false, true]);
    expect(ends[0]?.isEnded).toBe(true);
  });

  it.each([
    ['its token is not good', 'error', Object.assign(new Error(), { code: 0x86 }), 'bad_credentials'],
    ['another took its name', 'disconnect', { reasonCode: 0x8e }, 'taken_over'],
  ])('gives up when %s', async (_, event, what, reason) => {
    const { connection, ends, log } = start();
    connection.start();
    await soon();
    ends[0]?.emit(event, what);
    ends[0]?.emit('close');
    await jest.advanceTimersByTimeAsync(600_000);
    expect(log).toEqual(['gave up', 'error CONNECTION_REFUSED', `${reason} for good`]);
    expect(ends).toHaveLength(1);
    connection.start();
    await soon();
    expect(ends).toHaveLength(2);
  });

  it.each([
    ['tries again while the service is away', new PostriderError('UNREACHABLE', 'x'), 2],
    ['gives up when the service refuses the device', new PostriderError('UNAUTHORIZED', 'x', { status: 401 }), 1],
  ])('%s', async (_, error, times) => {
    const { connection, asked } = start(() => Promise.reject(error));
    connection.start();
    await jest.advanceTimersByTimeAsync(1_001);
    expect(asked).toHaveLength(times);
    await connection.stop();
  });

  it('connects under another name when the device got another owner, and not at all once it is stopped', async () => {
    let userId = 'ada';
    const { connection, ends, log } = start(() => Promise.resolve({ ...ADA, userId }));
    connection.start();
    await soon();
    ends[0]?.emit('connect');
    userId = 'bea';
    await connection.restart();
    await soon();
    expect(ends[1]?.options.clientId).toBe('shop/bea/i-1');
    ends[1]?.emit('connect');
    await connection.stop();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(ends).toHaveLength(2);
    expect(log).toEqual(['connected ada', 'restarted retry', 'connected bea', 'stopped for good']);
  });

  it('tries again when its subscription is never answered', async () => {
    const { connection, ends, log } = start();
    connection.start();
    await soon();
    if (ends[0]) ends[0].subscribe = () => undefined;
    ends[0]?.emit('connect');
    await jest.advanceTimersByTimeAsync(31_000);
    expect([log, ends[0]?.isEnded, ends.length]).toEqual([['lost retry'], true, 2]);
    ends[1]?.emit('connect');
    await jest.advanceTimersByTimeAsync(31_000);
    expect(log).toEqual(['lost retry', 'connected ada']);
    await connection.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is tested when the page is back: one whose socket has died without a word is given up', async () => {
    const { connection, ends, log } = start();
    connection.start();
    await soon();
    ends[0]?.emit('connect');
    connection.checkNow();
    connection.checkNow();
    expect(ends[0]?.pings).toBe(1);
    ends[0]?.emit('packetreceive', { cmd: 'pingresp' });
    await jest.advanceTimersByTimeAsync(10_001);
    expect([ends[0]?.isEnded, log]).toEqual([false, ['connected ada']]);
    connection.checkNow();
    await jest.advanceTimersByTimeAsync(9_999);
    expect(ends[0]?.isEnded).toBe(false);
    await jest.advanceTimersByTimeAsync(1_002);
    expect([ends[0]?.isEnded, log, ends.length]).toEqual([true, ['connected ada', 'lost retry'], 2]);
    await connection.stop();
    expect([jest.getTimerCount(), ends[0]?.listenerCount('packetreceive')]).toEqual([0, 0]);
  });

  it('tries again when MQTT cannot be loaded, and says why once', async () => {
    let isOnline = false;
    const { connection, ends, log } = start(undefined, () =>
      isOnline ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    );
    connection.start();
    await soon();
    expect(log).toEqual(['error CLIENT_FAILED', 'not_loaded retry']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(log.slice(2)).toEqual(['not_loaded retry']);
    isOnline = true;
    connection.checkNow();
    await soon();
    ends[0]?.emit('connect');
    expect([ends.length, log.at(-1)]).toEqual([1, 'connected ada']);
    await connection.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives up when the service refuses the device, whether MQTT can be loaded or not', async () => {
    const refused = new PostriderError('UNAUTHORIZED', 'x', { status: 401 });
    const { connection, log } = start(
      () => Promise.resolve().then(() => Promise.reject(refused)),
      () => Promise.reject(new Error('offline')),
    );
    connection.start();
    await soon();
    expect(log).toEqual(['error UNAUTHORIZED', 'gave up', 'not_registered for good']);
  });

  it.each([
    ['stops', (connection: Connection) => connection.stop(), 0],
    ['stops and starts', (connection: Connection) => connection.stop().then(() => connection.start()), 1],
    ['restarts', (connection: Connection) => connection.restart(), 1],
    ['restarts twice', (connection: Connection) => Promise.all([connection.restart(), connection.restart()]), 1],
  ])('that %s while MQTT is loading connects as often as is wanted', async (_, change, times) => {
    let load = (): void => undefined;
    const loading = new Promise<void>((done) => (load = done));
    const { connection, ends, log } = start(undefined, () => loading);
    connection.start();
    await soon();
    await change(connection);
    await soon();
    expect(ends).toHaveLength(0);
    load();
    await soon();
    expect([ends.length, log]).toEqual([times, []]);
    await connection.stop();
  });

  it('connects once when its device changes again while the former connection is still ending', async () => {
    const { connection, ends } = start();
    connection.start();
    await soon();
    ends[0]?.emit('connect');
    let isClosed = (): void => undefined;
    if (ends[0]) ends[0].endAsync = () => new Promise((done) => (isClosed = done));
    const restarts = [connection.restart(), connection.restart()];
    await soon();
    isClosed();
    await Promise.all(restarts);
    await soon();
    expect(ends).toHaveLength(2);
    await connection.stop();
  });
});

describe('the topics of a device', () => {
  it('are public ones alone for a user whose name no filter can hold', () => {
    expect(topicsOf({ ...ADA, userId: 'a+b', channels: ['public/x', 'private/y'] })).toEqual([
      'app/shop/user/public/default',
      'app/shop/user/public/x',
    ]);
  });
});

it('a client that connects again waits ever longer, up to a limit, and never the same for all', () => {
  const range = { leastMs: 1_000, mostMs: 60_000 };
  expect([1, 2, 3, 7, 5_000].map((failures) => backoffMs(failures, range, () => 0))).toEqual([
    500, 1_000, 2_000, 30_000, 30_000,
  ]);
  expect(backoffMs(7, range, () => 1)).toBe(60_000);
});
