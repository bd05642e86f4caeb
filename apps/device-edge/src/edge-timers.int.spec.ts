import { once } from 'node:events';
import { untilTrue } from '@postrider/testing';
import { generate } from 'mqtt-packet';
import { RawDevice } from './testing/raw-device';
import { createTestLedger, type TestLedger } from './testing/test-edge';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});

afterAll(() => ledger.close());

describe('the time limits of connections', () => {
  it('count what devices sent while the edge stood still', async () => {
    const appId = 'shop';
    await ledger.application(appId);
    const [edge, phone] = [await ledger.startEdge(), await ledger.device(appId, 'ana')];
    const { device } = await RawDevice.connect(edge.ports.mqtt, phone, { keepalive: 1 });
    const closed = once(device.socket, 'close').then(() => 'closed');
    const answered = untilTrue(() => device.packets.some(({ cmd }) => cmd === 'pingresp')).then(() => 'answered');
    setImmediate(() => {
      device.socket.write(generate({ cmd: 'pingreq' }));
      standStillFor(1_600);
    });
    expect(await Promise.race([answered, closed])).toBe('answered');
    device.socket.destroy();
  });
});

/** Neither sockets are read nor timers run meanwhile. One and a half keep-alive intervals are over. */
function standStillFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
