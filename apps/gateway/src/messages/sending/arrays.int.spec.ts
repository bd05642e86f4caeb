import timers from 'node:timers/promises';
import { HOUR_MS } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '@postrider/testing';
import { HeavyReads } from '../../heavy-reads/heavy-reads.service';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const MOST = 10_000;
/** Each time that code reads the clock, this much time has passed. */
const BETWEEN_LOOKS_MS = 10;

describe('arrays of ten thousand messages', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    // This test is not about the time limit of counts: on a busy machine ten thousand messages take longer.
    const heavy = gateway.app.get(HeavyReads);
    const run = heavy.run.bind(heavy);
    jest
      .spyOn(heavy, 'run')
      .mockImplementation((caller, limits, read) => run(caller, { ...limits, limitMs: HOUR_MS }, read));
    token = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (const userId of ['ada', 'grace']) await addDevice(gateway.database, { appId: 'shop', userId });
    await send(
      elements(1_000, (n) => ({ content: `warm ${n} {{ user.name }}` })),
      '&dryRun=true',
    );
  });
  afterAll(() => gateway.close());

  function send(body: unknown, query = '', headers: Record<string, string> = {}): Promise<TestAnswer> {
    return gateway.request('POST', `/api/push/toUsers?access_token=${token}${query}`, { body, headers });
  }

  function elements(count: number, fields: (n: number) => object): object[] {
    return Array.from({ length: count }, (_, n) => ({ user: n % 5 === 0 ? 'ada' : `u${n}`, ...fields(n) }));
  }

  /** Returns how often other requests had their turn during `work`, on a machine on which every element takes long. */
  async function watched<T>(work: () => Promise<T>): Promise<{ answer: T; turns: number }> {
    const turn = jest.spyOn(timers, 'setImmediate');
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += BETWEEN_LOOKS_MS));
    try {
      const answer = await work();
      return { answer, turns: turn.mock.calls.length };
    } finally {
      clock.mockRestore();
      turn.mockRestore();
    }
  }

  const SHORT = (): object[] => elements(MOST, (n) => ({ content: `Order ${n} is ready` }));
  const LONG = (): object[] => elements(800, (n) => ({ content: `${n} ${'x'.repeat(1_100)}` }));
  // Templates of one request may have 256 kB together.
  const PERSONAL = (): object[] => elements(MOST, (n) => ({ content: `{{ user.name }} ${n}` }));
  const BAD = (): object[] => elements(MOST, (n) => ({ content: n === MOST - 1 ? 1 : `Hi {{ user.name }}${n}` }));
  const TOO_BIG = (): object[] => elements(200, (n) => ({ content: `${n} ${'x'.repeat(4_500)}` }));

  it.each<[string, () => object[], string, Record<string, string>, number]>([
    ['tried', SHORT, '&dryRun=true', {}, 200],
    ['accepted', SHORT, '', {}, 200],
    ['accepted under a key', SHORT, '', { 'idempotency-key': 'once' }, 200],
    ['tried, long ones', LONG, '&dryRun=true', {}, 200],
    ['accepted, long ones', LONG, '', {}, 200],
    ['tried, personal ones', PERSONAL, '&dryRun=true', {}, 200],
    ['refused, personal ones', BAD, '', {}, 400],
    ['refused for their size', TOO_BIG, '', {}, 400],
  ])(
    'are %s, and others have their turn between any two of them that take long',
    async (_, make, query, headers, status) => {
      const elementsSent = make();
      const body = JSON.stringify(elementsSent);
      const { answer, turns } = await watched(() => send(body, query, headers));
      expect(answer.status).toBe(status);
      expect(turns).toBeGreaterThanOrEqual(elementsSent.length - 1);
      if (status === 200) expect(answer.body.count).toBe(elementsSent.length / 5);
      else
        expect(await rows(gateway.database, `SELECT 1 FROM messages WHERE content ->> 'content' LIKE '%Hi%'`)).toEqual(
          [],
        );
    },
  );
});
