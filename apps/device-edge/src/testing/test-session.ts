import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import type { OutgoingDelivery } from '../session/outgoing-delivery';
import type { Transport } from '../session/transport';
import type { Admission, SessionEnd, SessionServices } from '../session/device-session';
import type { SessionLimits } from '../session/packet-session';
import { Session } from '../session/session';

export const INSTALLATION = '01234567-89ab-4def-8123-456789abcdef';
/** Another installation of the application. */
export const OTHER_INSTALLATION = '76543210-89ab-4def-8123-456789abcdef';
export const CLIENT_ID = `shop/ann/${INSTALLATION}`;
export const OWN_TOPIC = `app/shop/user/ann/${INSTALLATION}`;
/** For a CONNECT: without it a test's device uses MQTT 3.1.1. */
export const MQTT_5 = { protocolVersion: 5 as const };

const LIMITS: SessionLimits = {
  window: 3,
  capacity: 10,
  maxPacketBytes: 10_000,
  bufferBytes: 100_000,
  packetsPerSecond: 50,
  connectWithinMs: 10_000,
  connackWithinMs: 20_000,
  subscriptions: 5,
  channels: 20,
};

/** A session without a socket or a database. It records what the session writes and which services it calls. */
export class TestSession {
  readonly written: Packet[] = [];
  readonly said: string[] = [];
  readonly ends: SessionEnd[] = [];
  readonly wills: (() => Promise<unknown>)[] = [];
  /** Whether other processes rely on the edge. */
  readonly lease = { isHeld: true };
  nowMs = 1_000_000;
  bufferedBytes = 0;
  isEnded = false;
  isDestroyed = false;
  isLingering = false;
  verdict: 'taken' | 'later' | 'busy' | 'invalid' = 'taken';
  /** Why a publish is invalid. */
  reason = 'bad';
  admission: Admission;
  /** What an admission waits for. */
  admitting = Promise.resolve();
  /** What a save of the session waits for. */
  saving = Promise.resolve();
  readonly session: Session;
  #parser = parser({ protocolVersion: 4 });

  constructor(limits: Partial<SessionLimits> = {}) {
    this.admission = {
      kind: 'admitted',
      subscriptions: null,
      inFlight: null,
      unreleased: null,
      sessionEnds: false,
      identity: {
        appId: 'shop',
        installationId: INSTALLATION,
        deviceId: '7',
        userId: 'ann',
        userText: 'ann',
        deviceType: 'android',
        epoch: '1',
        userSinceMs: 0,
        channels: ['public/sport', 'private/alerts'],
        hasChangedHands: false,
        mayRead: false,
        sendAccessToken: null,
        accessTokenKey: 'key',
      },
    };
    this.session = new Session(
      this.#transport(),
      this.#services(),
      { ...LIMITS, ...limits },
      { steadyMs: () => this.nowMs, wallMs: () => this.nowMs },
      { countPacket: () => undefined },
    );
  }

  /** Makes a session whose device has connected. */
  static async connected(
    packet: Partial<IConnectPacket> = {},
    limits: Partial<SessionLimits> = {},
  ): Promise<TestSession> {
    const test = new TestSession(limits);
    await test.connect(packet);
    return test;
  }

  /** Makes a session whose device has connected and subscribed to its own topic. Its record of packets is empty. */
  static async subscribed(
    packet: Partial<IConnectPacket> = {},
    limits: Partial<SessionLimits> = {},
  ): Promise<TestSession> {
    const test = await TestSession.connected(packet, limits);
    const subscribe: Packet = { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] };
    await test.send(subscribe, packet.protocolVersion);
    test.written.length = 0;
    return test;
  }

  /** The packet that was written last. */
  get lastWritten(): Packet | undefined {
    return this.written.at(-1);
  }

  /** The ids of the messages that were published, in their order. */
  get publishedIds(): string[] {
    return this.written.flatMap((packet) =>
      packet.cmd === 'publish' ? [(JSON.parse(String(packet.payload)) as { id: string }).id] : [],
    );
  }

  /** The device's bytes. */
  receive(bytes: Buffer): Promise<void> {
    this.session.receive(bytes);
    return settled();
  }

  send(packet: Packet, protocolVersion = 4): Promise<void> {
    return this.receive(generate(packet, { protocolVersion }));
  }

  /** Connects as a device does. */
  async connect(packet: Partial<IConnectPacket> = {}): Promise<void> {
    const protocolVersion = packet.protocolVersion ?? 4;
    this.#parser = parser({ protocolVersion });
    this.#parser.on('packet', (written: Packet) => this.written.push(written));
    this.#parser.on('error', (error: Error) => {
      throw error;
    });
    const connect: IConnectPacket = {
      cmd: 'connect',
      protocolId: protocolVersion === 3 ? 'MQIsdp' : 'MQTT',
      protocolVersion,
      clientId: CLIENT_ID,
      username: 'token',
      password: Buffer.from('token'),
      clean: false,
      keepalive: 180,
      ...packet,
    };
    await this.send(connect, protocolVersion);
  }

  /** A delivery for the device was read. */
  offer(delivery: OutgoingDelivery): void {
    this.session.offer(delivery);
    this.session.flush();
  }

  /** A message for the device, the n-th that was accepted. */
  delivery(n: number, changes: Partial<OutgoingDelivery['message']> = {}): OutgoingDelivery {
    const message = {
      appId: 'shop',
      id: `message-${String(n).padStart(6, '0')}`,
      channel: 'public/default',
      isToNamedUsers: true,
      isLive: false,
      startsAtMs: this.nowMs,
      expiresAtMs: this.nowMs + 60_000,
      lastCallMs: this.nowMs + 60_000,
      ...changes,
    };
    return {
      message,
      payload: Buffer.from(JSON.stringify({ id: message.id })),
      page: null,
      isKept: false,
      language: null,
    };
  }

  #transport(): Transport {
    const transport = {
      write: (bytes: Buffer) => {
        this.#parser.parse(bytes);
      },
      end: () => (this.isEnded = true),
      linger: () => (this.isLingering = true),
      destroy: () => (this.isDestroyed = true),
      pause: () => undefined,
      resume: () => undefined,
    };
    return Object.defineProperty(transport, 'bufferedBytes', { get: () => this.bufferedBytes }) as unknown as Transport;
  }

  #services(): SessionServices {
    const say = (text: string): Promise<void> => {
      this.said.push(text);
      return Promise.resolve();
    };
    const verdict = (): Promise<{ kind: 'taken' }> =>
      Promise.resolve({ kind: this.verdict, reason: this.reason } as unknown as { kind: 'taken' });
    return {
      lease: this.lease,
      admission: {
        admit: () => this.admitting.then(() => this.admission),
        isInstallation: (_, id) => Promise.resolve(id === OTHER_INSTALLATION),
      },
      devices: {
        opened: () => void say('opened'),
        ended: (_, end) => void this.ends.push(end),
        requestWaiting: ({ outbox }) => {
          outbox.answered();
          void say('wants what waits');
        },
      },
      subscriptions: {
        save: () => say('kept').then(() => this.saving),
        join: (_, channels) => say(`joined ${channels.join()}`),
        leave: (_, channels) => say(`left ${channels.join()}`),
      },
      sends: { send: (_, { to, channel }) => say(`sent ${to} ${channel}`).then(verdict) },
      wills: {
        publishLater: (_, delayMs, publish) => {
          void say(`will in ${delayMs} ms`);
          this.wills.push(publish);
        },
        cameBack: () => undefined,
      },
      events: { report: (_, { name }) => say(`reported ${name}`).then(verdict) },
      outcomes: {
        acknowledged: (_, { message }) => void say(`acknowledged ${message.id}`),
        sent: (_, { message }) => void say(`published ${message.id}`),
        failed: (_, { message }, { errorCode }) => void say(`failed ${message.id} ${errorCode}`),
      },
    };
  }
}

/** Resolves when all pending promises have settled. */
export function settled(): Promise<void> {
  return new Promise((next) => setImmediate(next));
}
