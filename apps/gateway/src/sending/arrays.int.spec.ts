import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '../testing/devices';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const MOST = 10_000;
/** Processor time, which does not depend on what else the machine does; the client of these tests takes its part of it. */
const MOST_CPU_MS = 2_000;
const MOST_TURN_MS = 100;

describe('arrays of ten thousand messages', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
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

  /** The processor time that `work` takes, and the most of it that passed before anybody else had a turn. */
  async function measured<T>(work: () => Promise<T>): Promise<{ answer: T; cpuMs: number; turnMs: number }> {
    const before = process.cpuUsage();
    let [isRunning, turnMs, turn] = [true, 0, process.cpuUsage()];
    const watching = (async () => {
      while (isRunning) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        const { user, system } = process.cpuUsage(turn);
        turnMs = Math.max(turnMs, (user + system) / 1_000);
        turn = process.cpuUsage();
      }
    })();
    const answer = await work();
    isRunning = false;
    await watching;
    const { user, system } = process.cpuUsage(before);
    return { answer, cpuMs: (user + system) / 1_000, turnMs };
  }

  const SHORT = (): object[] => elements(MOST, (n) => ({ content: `Order ${n} is ready` }));
  const LONG = (): object[] => elements(800, (n) => ({ content: `${n} ${'x'.repeat(1_100)}` }));
  const PERSONAL = (): object[] => elements(MOST, (n) => ({ content: `Hi {{ user.name }}, order ${n}` }));
  const BAD = (): object[] =>
    elements(MOST, (n) => ({ content: n === MOST - 1 ? 1 : `Hi {{ user.name }}, order ${n}` }));
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
  ])('are %s in two seconds of work, and others have their turn meanwhile', async (_, make, query, headers, status) => {
    const body = JSON.stringify(make());
    const { answer, cpuMs, turnMs } = await measured(() => send(body, query, headers));
    if (process.env.SHOW_FIGURES) process.stderr.write(`${_}: ${cpuMs.toFixed(0)} ms, turn ${turnMs.toFixed(0)} ms\n`);
    expect(answer.status).toBe(status);
    expect(cpuMs).toBeLessThan(MOST_CPU_MS);
    expect(turnMs).toBeLessThan(MOST_TURN_MS);
    if (status === 200) expect(answer.body.count).toBe(make().length / 5);
    else
      expect(await rows(gateway.database, `SELECT 1 FROM messages WHERE content ->> 'content' LIKE '%Hi%'`)).toEqual(
        [],
      );
  });
});
