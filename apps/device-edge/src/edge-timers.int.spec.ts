import { once } from 'node:events';
import { SECOND_MS } from '@postrider/domain';
import { untilTrue } from '@postrider/testing';
import { generate } from 'mqtt-packet';
import { RawDevice } from './testing/raw-device';
import { createTestLedger, type TestLedger } from './testing/test-edge';

/** More than one and a half keep-alive intervals. */
const STANDSTILL_MS = 1_600;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

afterAll(() => ledger.close());

/** What happens in a standstill, and the look at the time limits after it. */
interface Standstill {
  begin: () => void;
  look: () => void;
}

describe('the time limits of connections', () => {
  it.each<[string, (standstill: Standstill) => void]>([
    [
      'while the edge stood still',
      ({ begin, look }) => {
        begin();
        look();
      },
    ],
    [
      'while the edge stood still after its timers, and before it read its sockets',
      ({ begin, look }) => {
        setImmediate(begin);
        look();
      },
    ],
  ])('count what devices sent %s', async (_, standStill) => {
    // The edge looks, and time passes, when the test says, whatever the machine does.
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const [edge, phone] = [await ledger.startEdge(), await ledger.device('shop', 'ana')];
    const { device } = await RawDevice.connect(edge.ports.mqtt, phone, { keepalive: 1 });
    const closed = once(device.socket, 'close').then(() => 'closed');
    const answered = untilTrue(() => device.packets.some(({ cmd }) => cmd === 'pingresp')).then(() => 'answered');
    const begin = (): void => {
      device.socket.write(generate({ cmd: 'pingreq' }));
      now += STANDSTILL_MS;
    };
    // Among the timers of a turn.
    setTimeout(() => standStill({ begin, look: () => jest.advanceTimersByTime(SECOND_MS) }));
    expect(await Promise.race([answered, closed])).toBe('answered');
    device.socket.destroy();
  });
});
