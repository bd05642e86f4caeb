import type { Closure, EdgesRepository, Presence, PresenceRepository } from '@postrider/persistence';
import type { WaitingReader } from '../waiting/waiting-reader.service';
import type { WaitingRechecks } from '../waiting/waiting-rechecks.service';
import type { EdgeMetrics } from '../runtime/edge-metrics';
import type { DeviceSession, LeftBehind } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { TestSession } from '../testing/test-session';
import { ConnectedDevices } from './connected-devices.service';
import type { PresenceWriter } from './presence-writer.service';
import type { SubscriptionStore } from './subscription-store.service';
import { SessionCloser } from './session-closer.service';

describe('a connection whose device has another owner', () => {
  const nothing = (): void => undefined;
  let said: string[];
  let stored: Closure[];
  let registry: SessionRegistry;
  let devices: ConnectedDevices;
  let closer: SessionCloser;

  beforeEach(() => {
    said = [];
    stored = [];
    registry = new SessionRegistry({ maxConnections: 10 } as ConstructorParameters<typeof SessionRegistry>[0]);
    devices = new ConnectedDevices(
      registry,
      {} as PresenceWriter,
      {} as SubscriptionStore,
      { request: nothing } as unknown as WaitingReader,
      { schedule: nothing } as unknown as WaitingRechecks,
      {} as EdgeMetrics,
    );
    const edges = {
      findClosures: () => Promise.resolve(stored),
      removeClosures: (_edge: string, closures: Closure[]) => {
        said.push('removed');
        stored = stored.filter((one) => !closures.includes(one));
        return Promise.resolve();
      },
    } as unknown as EdgesRepository;
    closer = new SessionCloser('edge-1', registry, devices, edges, {} as PresenceRepository);
  });

  /** A connection of one device, admitted with an epoch, not opened yet. */
  const admitted = (epoch: string): DeviceSession => {
    const { admission } = new TestSession();
    if (admission.kind === 'refused') throw new Error('not admitted');
    const session = { identity: { ...admission.identity, epoch }, subscriptions: new Map(), isClosed: false };
    const close = (cause: string): void => {
      said.push(`closed ${epoch}: ${cause}`);
    };
    return { ...session, close } as unknown as DeviceSession;
  };
  const closure = (epoch: string): Closure => ({
    id: epoch,
    appId: 'shop',
    deviceId: '7',
    epoch,
    reason: 'changed_hands',
  });

  it('is closed before those who wait for that can go on', async () => {
    devices.opened(admitted('4'));
    stored = [closure('4')];
    await closer.closeReplaced();
    expect(said).toEqual(['closed 4: not_owner', 'removed']);
    expect(stored).toEqual([]);
  });

  it('is not opened if that came while it was being opened; a later one is', async () => {
    const session = admitted('4');
    stored = [closure('4')];
    await closer.closeReplaced();
    devices.opened(session);
    expect(said).toEqual(['removed', 'closed 4: not_owner']);
    expect(registry.deviceCount).toBe(0);
    devices.opened(admitted('5'));
    expect(registry.find('shop', '7')?.identity?.epoch).toBe('5');
  });

  it('stays if it is later than what was closed, in whatever order closings come', async () => {
    devices.opened(admitted('6'));
    stored = [closure('5'), closure('4')];
    await closer.closeReplaced();
    expect(said).toEqual(['removed']);
    devices.opened(admitted('5'));
    expect(said).toEqual(['removed', 'closed 5: taken_over']);
  });
});

describe('a device whose presence PostgreSQL has lost', () => {
  const registry = (): SessionRegistry =>
    new SessionRegistry({ maxConnections: 10 } as ConstructorParameters<typeof SessionRegistry>[0]);

  /** A connected device; `ends` is called while its presence is being written again. */
  async function reconcile(
    ends: (session: { isClosed: boolean }) => void,
    expirySeconds: number | null = 60,
  ): Promise<{ left: object[]; epoch: string; stored: number }> {
    const { admission } = new TestSession();
    if (admission.kind === 'refused') throw new Error('not admitted');
    const session = {
      ...{ identity: { ...admission.identity, epoch: '4' }, agreement: { expirySeconds } },
      ...{
        subscriptions: new Map(),
        outbox: { inFlightIds: () => ({ m1: 3 }) },
        unreleased: { left: () => [7] },
        isClosed: false,
      },
    };
    const connected = registry();
    connected.setConnected(session as unknown as DeviceSession);
    const left: object[] = [];
    let stored = 0;
    const writer = {
      leaveAgain: () => Promise.resolve(),
      enter: () => {
        ends(session);
        return Promise.resolve({ epoch: '9' } as Presence);
      },
      leave: (departure: object, leaves: LeftBehind | null) => left.push({ ...departure, ...leaves }),
    } as unknown as PresenceWriter;
    const store = { save: () => Promise.resolve(stored++) } as unknown as SubscriptionStore;
    const devices = new ConnectedDevices(
      connected,
      writer,
      store,
      {} as WaitingReader,
      {} as WaitingRechecks,
      {} as EdgeMetrics,
    );
    const presence = { count: () => Promise.resolve(0), find: () => Promise.resolve([]) };
    await new SessionCloser(
      'edge-1',
      connected,
      devices,
      {} as EdgesRepository,
      presence as unknown as PresenceRepository,
    ).reconcile();
    return { left, epoch: session.identity.epoch, stored };
  }

  it('is present again, and absent when its connection has ended meanwhile', async () => {
    expect(await reconcile(() => undefined)).toEqual({ left: [], epoch: '9', stored: 1 });
    const { left } = await reconcile((session) => (session.isClosed = true));
    expect(left).toMatchObject([
      { appId: 'shop', epoch: '9', inFlight: { m1: 3 }, unreleased: [7], sessionEndsInMs: 60_000 },
    ]);
  });

  it('leaves nothing to the next connection if its session ends with its connection', async () => {
    const { left } = await reconcile((session) => (session.isClosed = true), 0);
    expect(left).toMatchObject([{ epoch: '9', inFlight: null, unreleased: null, sessionEndsInMs: 0 }]);
  });

  it('has its session stored again, which may have begun to run out, unless that has no end', async () => {
    expect((await reconcile(() => undefined, 60)).stored).toBe(1);
    expect((await reconcile(() => undefined, 0)).stored).toBe(0);
    expect((await reconcile(() => undefined, null)).stored).toBe(0);
  });
});
