import { once } from 'node:events';
import { SECOND_MS } from '@postrider/domain';
import { untilTrue } from '@postrider/testing';
import { generate } from 'mqtt-packet';
import { EdgeLease } from './presence/edge-lease.service';
import { SessionRegistry } from './session/session-registry';
import { RawDevice } from './testing/raw-device';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './testing/test-edge';

let ledger: TestLedger;
let edge: TestEdge;

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
});
beforeEach(() => {
  // The edge does its periodic tasks when the test says, whatever the machine does.
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await edge.stop();
  await ledger.database.query(`DELETE FROM installations`);
});
afterAll(() => ledger.close());

/** Waits while the edge does its periodic tasks. */
function inTime(isTrue: () => boolean): Promise<void> {
  return untilTrue(() => {
    jest.advanceTimersByTime(SECOND_MS);
    return isTrue();
  });
}

/** A device that has not acknowledged the first of its two messages: the second one waits in the edge. */
async function withOneWaiting(): Promise<{ phone: TestDevice; device: RawDevice; ids: string[] }> {
  edge = await ledger.startEdge({ CONNECTION_IN_FLIGHT: '1' });
  const phone = await ledger.device('shop', 'ana');
  const { device } = await RawDevice.connect(edge.ports.mqtt, phone);
  await device.subscribe(phone.topic('default'));
  const ids = [await ledger.send('shop', ['ana'])];
  await inTime(() => device.ids.length === 1);
  ids.push(await ledger.send('shop', ['ana']));
  const registry = edge.get(SessionRegistry);
  await inTime(() => registry.find('shop', phone.deviceId)?.outbox.waiting === 1);
  return { phone, device, ids };
}

/** The edge learns that it was considered dead. Then it reads what the device sent meanwhile. */
async function standStill(device: RawDevice): Promise<void> {
  edge.get(EdgeLease).renew(performance.now(), true);
  device.acknowledge(device.published[0]?.messageId);
  device.socket.write(generate({ cmd: 'pingreq' }));
  await untilTrue(() => device.socket.closed || device.packets.some(({ cmd }) => cmd === 'pingresp'));
}

describe('an edge that stood still for so long that other processes considered it dead', () => {
  it('publishes nothing for the former owner of a device', async () => {
    const { phone, device, ids } = await withOneWaiting();
    const closed = once(device.socket, 'close');
    await ledger.database.query(`UPDATE installations SET user_id = 'ben', user_since = now() WHERE id = $1`, [
      phone.deviceId,
    ]);
    await ledger.database.query(
      `INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
       SELECT edge_id, app_id, id, epoch, 'changed_hands' FROM presence WHERE id = $1`,
      [phone.deviceId],
    );
    await standStill(device);
    jest.advanceTimersByTime(SECOND_MS);
    await closed;
    expect(device.ids).toEqual(ids.slice(0, 1));
  });

  it('publishes what waits after it knows what happened meanwhile', async () => {
    const { device, ids } = await withOneWaiting();
    await standStill(device);
    await inTime(() => device.ids.length === 2);
    expect(device.ids).toEqual(ids);
  });
});
