import type { IClientOptions } from 'mqtt';
import { untilTrue } from '@postrider/testing';
import { devicesOnEdge } from '../testing/devices-on-edge';
import type { TestClient } from '../testing/test-client';
import type { TestDevice, TestEdge } from '../testing/test-edge';
import { DelayedWills } from './delayed-wills.service';

const DELAY_SECONDS = 600;
const AFTER_THE_DELAY_MS = (DELAY_SECONDS + 60) * 1_000;

function withWill({ installationId }: TestDevice, clean = false): IClientOptions {
  return {
    protocolVersion: 5,
    clean,
    properties: { sessionExpiryInterval: 3_600 },
    will: {
      ...{ topic: `app/shop/event/left/${installationId}`, payload: Buffer.from('{}'), qos: 1, retain: false },
      properties: { willDelayInterval: DELAY_SECONDS },
    },
  };
}

describe('a will that waits (5 §3.1.3.2.2)', () => {
  const at = devicesOnEdge(['shop']);

  const timesLeft = async (userId: string): Promise<unknown> => {
    const [found] = await at.ledger.database.query(
      `SELECT attributes -> 'left.count' AS count FROM users WHERE app_id = 'shop' AND user_id = $1`,
      [userId],
    );
    return (found as { count: unknown } | undefined)?.count ?? 0;
  };
  const isConnected = async ({ deviceId }: TestDevice): Promise<boolean> => {
    const found = await at.ledger.database.query(`SELECT 1 FROM presence WHERE app_id = 'shop' AND id = $1`, [
      deviceId,
    ]);
    return (found as unknown[]).length > 0;
  };
  /** The connection breaks, and the edge has noticed. */
  const breakOff = async ({ client }: TestClient, device: TestDevice): Promise<void> => {
    client.stream.destroy();
    await untilTrue(async () => !(await isConnected(device)));
  };
  const theDelayPasses = (edge: TestEdge): Promise<void> =>
    edge.get(DelayedWills).publishDue(performance.now() + AFTER_THE_DELAY_MS);

  it('is published when the device does not come back, and not before', async () => {
    const ann = await at.ledger.device('shop', 'ann');
    await breakOff(await at.connected(ann, withWill(ann)), ann);
    await at.edge.get(DelayedWills).publishDue(performance.now());
    expect(await timesLeft('ann')).toBe(0);
    await theDelayPasses(at.edge);
    expect(await timesLeft('ann')).toBe(1);
    await theDelayPasses(at.edge);
    expect(await timesLeft('ann')).toBe(1);
  });

  it('is not published when the device continues its session, on this edge or on another', async () => {
    const other = await at.ledger.startEdge();
    const bob = await at.ledger.device('shop', 'bob');
    await breakOff(await at.connected(bob, withWill(bob)), bob);
    const again = await at.connected(bob, withWill(bob));
    expect(again.sessionPresent).toBe(true);
    await theDelayPasses(at.edge);
    await breakOff(again, bob);
    await at.connected(bob, withWill(bob), `mqtt://127.0.0.1:${other.ports.mqtt}`);
    await theDelayPasses(at.edge);
    expect(await timesLeft('bob')).toBe(0);
  });

  it('is published at once when the device begins a new session', async () => {
    const eve = await at.ledger.device('shop', 'eve');
    await breakOff(await at.connected(eve, withWill(eve)), eve);
    await at.connected(eve, withWill(eve, true));
    await untilTrue(async () => (await timesLeft('eve')) === 1);
  });

  it('is published when the edge stops', async () => {
    const edge = await at.ledger.startEdge();
    const zoe = await at.ledger.device('shop', 'zoe');
    await breakOff(await at.connected(zoe, withWill(zoe), `mqtt://127.0.0.1:${edge.ports.mqtt}`), zoe);
    await edge.stop();
    expect(await timesLeft('zoe')).toBe(1);
  });
});
