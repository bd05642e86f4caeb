import { BrowserConnection } from './testing/browser-connection';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './testing/test-edge';

let ledger: TestLedger;
let edge: TestEdge;
let device: TestDevice;
const opened: BrowserConnection[] = [];

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
  edge = await ledger.startEdge();
});
beforeEach(async () => {
  device = await ledger.device('shop', 'ann');
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});
afterAll(() => ledger.close());

const connect = async (changes: Partial<TestDevice> = {}, on = edge): ReturnType<typeof BrowserConnection.connect> => {
  const made = await BrowserConnection.connect(on.ports.ws, { ...device, ...changes });
  opened.push(made.connection);
  return made;
};

describe('a browser’s connection that is of no use any more', () => {
  it.each([
    ['whose device belongs to another user', () => ({ clientId: `shop/bob/${device.installationId}` }), 5],
    ['whose token was revoked', () => ({ token: 'no token of anybody' }), 4],
    ['whose client id is none', () => ({ clientId: 'nobody' }), 2],
  ])('is told so and left open: one %s', async (_, changes, code) => {
    const { connection, returnCode } = await connect(changes());
    expect(returnCode).toBe(code);
    expect(await connection.answersPing()).toBe(true);
  });

  it('is closed soon after its device belongs to its user: the page connected before its sign-in was answered', async () => {
    const { connection, returnCode } = await connect({ clientId: `shop/bob/${device.installationId}` });
    expect(returnCode).toBe(5);
    await ledger.device('shop', 'bob');
    await ledger.database.query(
      `UPDATE installations SET user_id = 'bob', user_since = now() WHERE installation_id = $1`,
      [device.installationId],
    );
    await connection.untilClosed();
    expect((await connect({ clientId: `shop/bob/${device.installationId}` })).returnCode).toBe(0);
  });

  it('rests when another of the same name took its place, on this edge or another, and gets nothing', async () => {
    const other = await ledger.startEdge();
    const { connection: first } = await connect();
    const { connection: second } = await connect();
    expect(await first.answersPing()).toBe(true);
    const { connection: third } = await connect({}, other);
    expect(await second.answersPing()).toBe(true);
    third.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: device.ownTopic, qos: 1 }] });
    await third.until('suback');
    await ledger.send('shop', ['ann']);
    await third.until('publish');
    for (const resting of [first, second]) {
      expect(resting.packets.map(({ cmd }) => cmd)).toEqual(['connack', 'pingresp']);
    }
  });

  it('is closed when it wants to be served, and when the one that took its place is over', async () => {
    const { connection: first } = await connect();
    const { connection: second } = await connect();
    const { connection: third } = await connect();
    expect(await first.answersPing()).toBe(true);
    expect(await second.answersPing()).toBe(true);
    second.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: device.ownTopic, qos: 1 }] });
    await second.untilClosed();
    expect(first.isClosed || third.isClosed).toBe(false);
    third.close();
    await first.untilClosed();
  });
});
