import type {
  ChannelsRepository,
  ConnectionSessionsRepository,
  Departure,
  KeptSession,
  PresenceRepository,
} from '@postrider/persistence';
import { createLogger } from '@postrider/platform';
import { TestClock } from '@postrider/testing';
import type { EdgeMetrics } from '../runtime/edge-metrics';
import type { DeviceSession } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { INSTALLATION, OTHER_INSTALLATION, TestSession } from '../testing/test-session';
import type { WaitingReader } from '../waiting/waiting-reader.service';
import type { WaitingRechecks } from '../waiting/waiting-rechecks.service';
import { ConnectedDevices } from './connected-devices.service';
import { PresenceWriter } from './presence-writer.service';
import { SubscriptionStore } from './subscription-store.service';

describe('a connection that ends while its subscriptions are being stored', () => {
  const clock = new TestClock();
  let written: string[];
  let endSave: () => void;
  let store: SubscriptionStore;
  let presence: PresenceWriter;
  let registry: SessionRegistry;
  let devices: ConnectedDevices;

  beforeEach(() => {
    written = [];
    const sessions = {
      save: async (saved: KeptSession[]) => {
        await new Promise<void>((resolve) => (endSave = resolve));
        for (const { subscriptions } of saved) written.push(`session ${Object.keys(subscriptions ?? {}).join()}`);
      },
    } as unknown as ConnectionSessionsRepository;
    const departures = {
      leave: (left: Departure[]) => {
        for (const { epoch } of left) written.push(`end of ${epoch}`);
        return Promise.resolve();
      },
    } as unknown as PresenceRepository;
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    store = new SubscriptionStore(clock, {} as ChannelsRepository, sessions);
    presence = new PresenceWriter(clock, logger, 'edge-1', departures);
    registry = new SessionRegistry({ maxConnections: 10 } as ConstructorParameters<typeof SessionRegistry>[0]);
    devices = new ConnectedDevices(
      registry,
      presence,
      store,
      { request: () => undefined } as unknown as WaitingReader,
      {} as WaitingRechecks,
      { countEnd: () => undefined } as unknown as EdgeMetrics,
    );
  });

  /** An open connection of a device, with a session of an hour. */
  function open(): { session: DeviceSession; close: () => void } {
    const { admission } = new TestSession();
    if (admission.kind === 'refused') throw new Error('not admitted');
    const agreement = { version: 5, keepAliveMs: 0, expirySeconds: 3_600, clientMaxBytes: 1_000, takesReasons: true };
    const state = {
      ...{ identity: admission.identity, agreement, isClosed: false },
      subscriptions: new Map([['app/shop/user/public/news', 1]]),
    };
    const session = state as unknown as DeviceSession;
    const close = (): void => {
      state.isClosed = true;
      devices.ended(session, { cause: 'gone', left: { inFlight: null, unreleased: null, sessionEndsInMs: 3_600_000 } });
    };
    return { session, close };
  }

  it('ends after they are stored: the session then lasts as long as agreed', async () => {
    const { session, close } = open();
    const saved = store.save(session);
    await new Promise(setImmediate);
    close();
    const other = { appId: 'shop', deviceId: '8', installationId: OTHER_INSTALLATION, epoch: '2' };
    presence.leave(other, { inFlight: null, unreleased: null, sessionEndsInMs: 0 }, Promise.resolve());
    await presence.hasLeft('shop', OTHER_INSTALLATION);
    expect(written).toEqual(['end of 2']);
    endSave();
    await saved;
    await presence.allLeft();
    expect(written).toEqual(['end of 2', 'session app/shop/user/public/news', 'end of 1']);
  });

  it('gets no events, although it had just subscribed to some', async () => {
    const { session, close } = open();
    session.subscriptions.set('app/shop/event/buy/+', 1);
    close();
    devices.requestWaiting(session);
    expect([...registry.eventSubscribers('shop')]).toEqual([]);
    await presence.allLeft();
  });

  it('stores none that come later', async () => {
    const { session, close } = open();
    close();
    await store.save(session);
    await presence.allLeft();
    expect(written).toEqual(['end of 1']);
  });
});

describe('a connection that ends while PostgreSQL is away, or refuses something', () => {
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
  const departure = {
    appId: 'shop',
    deviceId: '8',
    installationId: OTHER_INSTALLATION,
    epoch: '2',
  };
  const left = { inFlight: { m1: 4 }, unreleased: [7], sessionEndsInMs: null };
  const gone = {
    appId: 'shop',
    deviceId: '8',
    epoch: '2',
    session: { inFlight: { m1: 4 }, unreleased: [7], expiresAt: null },
  };
  let written: Departure[];
  let trouble: Error | null;
  let presence: PresenceWriter;

  beforeEach(() => {
    written = [];
    trouble = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const repository = {
      leave: (departures: Departure[]) => {
        const refusal = departures.some(({ epoch }) => epoch === 'bad') ? new Error('bad') : trouble;
        if (refusal !== null) return Promise.reject(refusal);
        written.push(...departures);
        return Promise.resolve();
      },
    } as unknown as PresenceRepository;
    presence = new PresenceWriter(new TestClock(), logger, 'edge-1', repository);
  });

  it('is written when PostgreSQL is back, once: the device does not stay online', async () => {
    presence.leave(departure, left, Promise.resolve());
    await presence.hasLeft('shop', OTHER_INSTALLATION);
    await expect(presence.leaveAgain()).rejects.toThrow('gone');
    expect(written).toEqual([]);
    trouble = null;
    await presence.leaveAgain();
    await presence.leaveAgain();
    expect(written).toEqual([gone]);
  });

  it('is not tried again when PostgreSQL refuses it for good', async () => {
    trouble = new Error('bad');
    presence.leave(departure, left, Promise.resolve());
    await presence.allLeft();
    trouble = null;
    await presence.leaveAgain();
    expect(written).toEqual([]);
  });

  it('is written when PostgreSQL refuses the end of another one for good', async () => {
    trouble = null;
    const bad = { ...departure, deviceId: '9', installationId: INSTALLATION, epoch: 'bad' };
    presence.leave(bad, left, Promise.resolve());
    presence.leave(departure, left, Promise.resolve());
    await presence.allLeft();
    expect(written).toEqual([gone]);
  });
});
