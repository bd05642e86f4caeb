import type { DeviceId } from '@postrider/domain';
import {
  addDevice,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  whileHolding,
} from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { ConnectionSessionsRepository } from './connection-sessions.repository';
import { EdgesRepository } from '../edges/edges.repository';
import type { Arrival } from './enter-presence.statement';
import { type LeftSession, PresenceRepository } from './presence.repository';

describe('the presence of a device', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let presence: PresenceRepository;
  let edges: EdgesRepository;
  let arrival: Arrival;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    [presence, edges] = [new PresenceRepository(database), new EdgesRepository(database)];
    await createShop(database, 0);
  });
  beforeEach(async () => {
    const installationId = await addDevice(database, { appId: 'shop', userId: 'ada' });
    const [device] = await rows<{ deviceId: DeviceId }>(
      database,
      `SELECT id::text AS "deviceId" FROM installations WHERE installation_id = $1`,
      [installationId],
    );
    arrival = { appId: 'shop', userId: 'ada', deviceId: device?.deviceId ?? '' };
    for (const edgeId of ['edge-1', 'edge-2']) await edges.beat(edgeId);
  });
  afterAll(() => throwAway.drop());

  const edgeNow = async (): Promise<string | undefined> => (await presence.find([arrival]))[0]?.edgeId;
  /** What `enter` writes for another edge, in a transaction that is not committed yet. */
  const enterIn = async (held: Database, edgeId: string): Promise<void> => {
    await held.query(`SELECT FROM installations WHERE app_id = 'shop' AND id = $1 FOR NO KEY UPDATE`, [
      arrival.deviceId,
    ]);
    await held.query(
      `INSERT INTO presence (app_id, id, edge_id, epoch, connected_at)
       VALUES ('shop', $1, $2, nextval('presence_epochs'), now())
       ON CONFLICT (app_id, id) DO UPDATE SET edge_id = excluded.edge_id, epoch = excluded.epoch`,
      [arrival.deviceId, edgeId],
    );
  };

  it('does not begin for its former user when the device gets another owner at that moment', async () => {
    const changeOwner = async (held: Database): Promise<void> => {
      await held.query(`UPDATE installations SET user_id = 'bob' WHERE app_id = 'shop' AND id = $1`, [
        arrival.deviceId,
      ]);
    };
    const present = await whileHolding(database, changeOwner, () => presence.enter('edge-1', [arrival], new Date()));
    expect(present).toEqual([]);
    expect(await edgeNow()).toBeUndefined();
    expect(await presence.enter('edge-1', [{ ...arrival, userId: 'bob' }], new Date())).toHaveLength(1);
  });

  it('on two edges at once is ended on the first, however new the device is there', async () => {
    const entered = await whileHolding(
      database,
      (held) => enterIn(held, 'edge-1'),
      () => presence.enter('edge-2', [arrival], new Date()),
    );
    expect([entered.length, await edgeNow()]).toEqual([1, 'edge-2']);
    expect(await edges.findClosures('edge-1')).toEqual([
      expect.objectContaining({ deviceId: arrival.deviceId, reason: 'taken_over' }),
    ]);
  });

  it('stays when it connects to a living edge while those of its dead edge are deleted', async () => {
    await presence.enter('edge-1', [arrival], new Date());
    await rows(database, `UPDATE edges SET heartbeat_at = now() - interval '2 minutes' WHERE edge_id = 'edge-1'`);
    await whileHolding(
      database,
      (held) => enterIn(held, 'edge-2'),
      () => edges.removeDead(100),
    );
    expect(await edgeNow()).toBe('edge-2');
  });

  describe('and its stored session', () => {
    let sessions: ConnectionSessionsRepository;
    const now = new Date('2026-03-01T12:00:00Z');
    const later = new Date('2026-03-01T13:00:00Z');
    const inFlight = { m1: 4 };
    const unreleased = [7, 8];
    const stored = async (): Promise<unknown> =>
      (
        await rows(
          database,
          `SELECT expires_at AS "expiresAt", in_flight AS "inFlight", unreleased FROM connection_sessions WHERE id = $1`,
          [arrival.deviceId],
        )
      )[0];
    /** An edge is killed. @returns its last heartbeat */
    const silence = async (edgeId: string): Promise<Date> => {
      const [edge] = await rows<{ heartbeatAt: Date }>(
        database,
        `WITH killed AS (
           UPDATE edges SET heartbeat_at = date_trunc('second', now()) - interval '2 minutes' WHERE edge_id = $1
           RETURNING heartbeat_at
         ) SELECT heartbeat_at AS "heartbeatAt" FROM killed`,
        [edgeId],
      );
      if (edge === undefined) throw new Error('no such edge');
      return edge.heartbeatAt;
    };
    /** The device connects, and its connection ends. */
    const connect = async (session: LeftSession | null): Promise<void> => {
      const { appId, deviceId } = arrival;
      const [present] = await presence.enter('edge-1', [arrival], now);
      await presence.leave([{ appId, deviceId, epoch: present?.epoch ?? '', session }], now);
    };

    beforeEach(async () => {
      sessions = new ConnectionSessionsRepository(database);
      await sessions.save([{ ...arrival, subscriptions: { topic: 1 }, expirySeconds: 3_600, channels: [] }], now);
    });

    it('keeps what was in flight and not released, and its end, when a later connection is not accepted', async () => {
      await connect({ inFlight, unreleased, expiresAt: later });
      await connect(null);
      expect(await stored()).toEqual({ expiresAt: later, inFlight, unreleased });
      expect(await edgeNow()).toBeUndefined();
    });

    it('runs out from the last heartbeat of its edge on if that was killed', async () => {
      await presence.enter('edge-1', [arrival], now);
      const heardAt = await silence('edge-1');
      await edges.removeDead(100);
      expect(await stored()).toEqual({
        expiresAt: new Date(heardAt.getTime() + 3_600_000),
        inFlight: null,
        unreleased: null,
      });
    });

    it('runs out from now on if its edge stopped before it wrote the end of the connection', async () => {
      await presence.enter('edge-1', [arrival], now);
      await edges.remove('edge-1');
      expect(await stored()).toEqual({ expiresAt: expect.any(Date), inFlight: null, unreleased: null });
    });

    it('does not run out if the device has connected to another edge', async () => {
      await presence.enter('edge-1', [arrival], now);
      await presence.enter('edge-2', [arrival], now);
      await silence('edge-1');
      await edges.removeDead(100);
      expect(await stored()).toEqual({ expiresAt: null, inFlight: null, unreleased: null });
    });

    it('does not run out if the connection ended with the wish to keep it for ever', async () => {
      await connect({ inFlight: null, unreleased: null, expiresAt: null });
      await presence.enter('edge-1', [arrival], now);
      await silence('edge-1');
      await edges.removeDead(100);
      expect(await stored()).toEqual({ expiresAt: null, inFlight: null, unreleased: null });
    });
  });
});
