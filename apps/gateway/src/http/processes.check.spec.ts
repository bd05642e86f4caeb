import { QUEUES, QueueUnavailable } from '@postrider/queues';
import { HealthRegistry, Shutdown } from '@postrider/platform';
import { Registry } from 'prom-client';
import { ProcessesCheck } from './processes.check';

const PROCESSES = ['audience-worker', 'device-edge', 'lanes', 'promo-worker'];

describe('the check of processes', () => {
  /** The errors of the checks that fail. @param unheard seconds by queue; null: no worker of it was ever heard */
  async function errorsOf(
    unheard: (queue: string) => number | null,
    edge: () => number | null = () => 1,
    areNeeded = true,
    eviction: string | null = null,
  ): Promise<Record<string, string | undefined>> {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    const heard = QUEUES.flatMap((queue) => {
      const seconds = unheard(queue);
      return seconds === null ? [] : [[queue, seconds] as const];
    });
    new ProcessesCheck(
      health,
      { secondsUnheard: () => Promise.resolve(new Map(heard)) },
      { secondsUnheard: () => Promise.resolve(edge()), areNeeded: () => Promise.resolve(areNeeded) },
      { problem: () => Promise.resolve(eviction) },
    ).onModuleInit();
    const { ready, checks } = await health.report();
    // What waits is accepted, so the gateway stays ready.
    expect([ready, Object.keys(checks).sort()]).toEqual([true, PROCESSES]);
    return Object.fromEntries(
      Object.entries(checks).flatMap(([name, { ok, error }]) => (ok ? [] : [[name, error] as const])),
    );
  }

  it('is content with processes of all kinds that were heard lately', async () => {
    expect(await errorsOf(() => 5)).toEqual({});
  });

  it('names each kind that does not run, what waits for it, and what to do', async () => {
    expect(
      await errorsOf(
        () => null,
        () => null,
      ),
    ).toEqual({
      'audience-worker':
        'no audience worker runs, and campaigns, uploaded files and maintenance wait: start apps/audience-worker',
      'promo-worker': 'no promo worker runs, and uploaded promo codes wait: start apps/promo-worker',
      'device-edge': expect.stringMatching(/^no device edge runs, .*: start apps\/device-edge$/) as string,
      lanes: expect.stringMatching(
        /^no delivery worker of the lane transactional runs, .*; no delivery worker of the lane campaign runs, /,
      ) as string,
    });
  });

  it('names Redis first where it may have deleted what the workers say', async () => {
    const deletes =
      'Redis deletes jobs when its memory is full (maxmemory-policy is allkeys-lru): set it to noeviction';
    const edge = (): number => 1;
    expect(await errorsOf(() => 5, edge, true, deletes)).toEqual({});
    expect(await errorsOf((queue) => (queue === 'promo' ? null : 5), edge, true, deletes)).toEqual({
      'promo-worker': `${deletes}; if it is still so then: no promo worker runs, and uploaded promo codes wait: start apps/promo-worker`,
    });
  });

  it('misses no edge where no device has ever used a connection, and a silent one even there', async () => {
    const heard = (): number => 3;
    expect(await errorsOf(heard, () => null, false)).toEqual({});
    expect(Object.keys(await errorsOf(heard, () => 42, false))).toEqual(['device-edge']);
  });

  it('names each kind that is there and silent, and for how long', async () => {
    const silent = (name: string): string =>
      `no ${name} was heard for 42 s: is it suspended, overloaded, or cut off from the network? Restart it`;
    expect(await errorsOf((queue) => (['audience', 'promo'].includes(queue) ? 42 : 3))).toEqual({
      'audience-worker': silent('audience worker'),
      'promo-worker': silent('promo worker'),
    });
    expect(
      await errorsOf(
        () => 3,
        () => 42.2,
      ),
    ).toEqual({ 'device-edge': silent('device edge') });
  });

  it.each(['delivery.fcm', 'delivery.apns', 'delivery.hms', 'delivery.webpush'])(
    'names the lane in which nobody takes %s, though the other queues are taken',
    async (missing) => {
      expect(await errorsOf((queue) => (queue === missing ? null : 1))).toEqual({
        lanes: expect.stringMatching(
          /^no delivery worker of the lane transactional runs, and messages to named users wait/,
        ),
      });
      expect(await errorsOf((queue) => (queue === `${missing}.campaign` ? 99 : 1))).toEqual({
        lanes: expect.stringMatching(/^no delivery worker of the lane campaign was heard for 99 s/),
      });
    },
  );

  it('says nothing of workers while Redis is away, and nothing of edges while PostgreSQL is away', async () => {
    const health = new HealthRegistry(new Shutdown(), new Registry());
    new ProcessesCheck(
      health,
      { secondsUnheard: () => Promise.reject(new QueueUnavailable('away')) },
      {
        secondsUnheard: () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })),
        areNeeded: () => Promise.resolve(true),
      },
      { problem: () => Promise.resolve(null) },
    ).onModuleInit();
    const { checks } = await health.report();
    expect(Object.values(checks).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  });
});
