import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import { showMessage } from '@postrider/gateway/testing';
import { DeliveryReportsRepository, inSnapshot, MessagesRepository } from '@postrider/persistence';
import fc from 'fast-check';
import { VirtualSystem } from './virtual-system';

const RUNS = 25;
const MINUTE = 60_000;
/** Smaller than most audiences here, so that lists are read page by page. */
const LIMIT = 7;

/** One message to an audience of its own, and its twin that is not cancelled. */
const stories = fc.record({
  devices: fc.array(fc.constantFrom('well', 'busy', 'dead', 'unreachable'), { maxLength: 25 }),
  isNamed: fc.boolean(),
  rate: fc.option(fc.constantFrom(10, 40), { nil: undefined }),
  /** Seconds until it is sent. */
  sendsIn: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  /** The cancel comes this many seconds after acceptance, and then after this many looks while the workers continue. */
  cancelsIn: fc.integer({ min: 0, max: 25 }),
  looks: fc.integer({ min: 0, max: 6 }),
});

type Story = typeof stories extends fc.Arbitrary<infer T> ? T : never;
type States = Record<DeliveryState, number>;

describe('the totals of a message and the list of its deliveries', () => {
  let system: VirtualSystem;
  let runs = 0;

  beforeAll(async () => {
    system = await VirtualSystem.open({
      startsAt: new Date(Date.now() + MINUTE),
      answer: (token, times) => {
        if (token.startsWith('dead')) return { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' };
        const isBusy = token.startsWith('busy') && times === 1;
        if (isBusy) return { kind: 'retryable', code: '503', reason: 'busy', retryAfterMs: 5_000 };
        return { kind: 'accepted', vendorMessageId: null };
      },
    });
  });
  afterAll(() => system.close());

  it('agree at every moment around a cancel, and every device is in them once at the end', async () => {
    await fc.assert(fc.asyncProperty(stories, tell), { numRuns: RUNS, endOnFailure: true });
  });

  async function tell(story: Story): Promise<void> {
    const { devices, cancelsIn, looks } = story;
    const [cancelled, kept] = await sendTwice(story);
    const startedAt = system.clock.now().getTime();
    await during(system.passUntil(new Date(startedAt + cancelsIn * 1_000)), [cancelled, kept]);
    const rest = system.passUntil(new Date(startedAt + 5 * MINUTE));
    const cancelling = cancelAfter(looks, cancelled);
    await during(Promise.all([rest, cancelling]), [cancelled, kept]);
    // A message that was cancelled after the last turn of the workers is ended in the next.
    await during(system.passUntil(new Date(startedAt + 10 * MINUTE)), [cancelled, kept]);
    for (const id of [cancelled, kept]) {
      const { rows, unlisted } = await look(id);
      expect(unlisted).toBe(0);
      expect(sumOf(rows)).toBe(devices.length);
      expect(rows.pending).toBe(0);
    }
  }

  async function sendTwice({ devices, isNamed, rate, sendsIn }: Story): Promise<[string, string]> {
    const run = `run-${(runs += 1)}`;
    await system.addDevices(
      ...devices.map((kind, n) => ({
        userId: `${run}-${n % 5}`,
        token: kind === 'unreachable' ? null : `${kind}-${run}-${n}`,
        tags: [run],
      })),
    );
    const sendAt = sendsIn === undefined ? undefined : new Date(system.clock.now().getTime() + sendsIn * 1_000);
    const body = {
      content: 'hello',
      ttl: 120,
      ...(rate === undefined ? {} : { rate }),
      ...(sendAt === undefined ? {} : { sendAt: sendAt.toISOString() }),
      ...(isNamed
        ? { users: [0, 1, 2, 3, 4].map((n) => `${run}-${n}`) }
        : { target: { tags: run }, ignoreQuietHours: true }),
    };
    const kind = isNamed ? 'users' : 'query';
    return [await system.send(kind, body), await system.send(kind, body)];
  }

  /** Compares all the while until the work is done, and once more. */
  async function during(work: Promise<unknown>, ids: string[]): Promise<void> {
    let isDone = false;
    const ended = work.finally(() => (isDone = true));
    const compare = async (): Promise<void> => {
      for (const id of ids) await look(id);
    };
    const comparing = (async () => {
      while (!isDone) await compare();
    })();
    await Promise.all([ended, comparing]);
    await compare();
  }

  async function cancelAfter(looks: number, id: string): Promise<void> {
    for (let n = 0; n < looks; n++) await look(id);
    await system.cancel(id);
  }

  /** Reads both as the API does, at one moment, and compares them. */
  async function look(id: string): Promise<{ rows: States; unlisted: number }> {
    const reports = new DeliveryReportsRepository(system.database);
    const { shown, rows } = await inSnapshot(system.database, async (executor) => {
      const message = await new MessagesRepository(system.database).find(executor, 'shop', id);
      if (!message) throw new Error('A message is gone');
      const listed: States = { ...NOTHING };
      for (let after = '0'; ;) {
        const page = await reports.list(executor, 'shop', id, { state: null, afterDeviceId: after, limit: LIMIT });
        for (const { state } of page) listed[state] += 1;
        if (page.length < LIMIT) {
          return { shown: showMessage(message, await reports.count(executor, 'shop', id), null), rows: listed };
        }
        after = page.at(-1)!.deviceId;
      }
    });
    // Only devices that are yet to be found are in the totals and on no list; devices of a cancelled message never are.
    const unlisted = shown.totals.pending - rows.pending;
    expect({ ...shown.totals, pending: 0 }).toEqual({ ...rows, pending: 0 });
    expect(unlisted).toBeGreaterThanOrEqual(0);
    if (shown.status !== 'accepted') expect(unlisted).toBe(0);
    expect(shown.recipients).toBe(sumOf(rows) + unlisted);
    return { rows, unlisted };
  }
});

const NOTHING = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as States;

function sumOf(states: States): number {
  return Object.values(states).reduce((sum, one) => sum + one, 0);
}
