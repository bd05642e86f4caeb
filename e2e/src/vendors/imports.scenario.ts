import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';
import type { Postrider } from '../support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';

const TOKENS = 3_000;
const DEAD_EVERY = 10;
const RATE = 500;
const VALIDATED = `pushType=fcm&validate=true&validationRate=${RATE}`;
/** Twenty stretches of a file. */
const MANY_TOKENS = 40_000;
const WRONG_EVERY = 1_000;
const KILLS = 3;

/** The part of an import that these tests check. */
interface ImportJob {
  status: string;
  lines: number;
  created: number;
  failed: number;
  validation: { valid: number; invalid: number; unanswered: number; lastError: string | null };
  errors: { line: number; message: string }[];
}

/** Imports whose worker is killed, or that ask a vendor about each token. */
export function importsScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(() => {
    postrider = system();
    simulator = new Simulator(postrider.system.simulatorUrl);
  });

  beforeEach(() => simulator.reset());

  async function begin(
    appId: string,
    lines: readonly string[],
    query = VALIDATED,
  ): Promise<{ server: Api; jobId: string }> {
    const { server, serverToken } = await postrider.createApplication(appId);
    const answer = await fetch(`${postrider.system.gatewayUrl}/api/installations/import?${query}`, {
      method: 'POST',
      headers: { 'x-access-token': serverToken, 'content-type': 'text/csv' },
      body: `token,userId\n${lines.join('\n')}\n`,
    });
    expect(answer.status).toBe(202);
    const { jobId } = (await answer.json()) as { jobId: string };
    return { server, jobId };
  }

  const when = (
    { server, jobId }: { server: Api; jobId: string },
    is: (job: ImportJob) => boolean,
  ): Promise<ImportJob> =>
    until(async () => {
      const job = await server.find<ImportJob>(`/api/installations/import/${jobId}`);
      return job !== null && is(job) ? job : null;
    });
  const ended = (begun: { server: Api; jobId: string }): Promise<ImportJob> =>
    when(begun, ({ status }) => status === 'done');

  const isDead = (n: number): boolean => n % DEAD_EVERY === 0;
  const line = (n: number): string => `${isDead(n) ? 'dead-' : 'token-'}${String(n).padStart(20, '0')},user${n}`;

  it('has every device once, and tells every wrong line once, however often its worker is killed; sends go out meanwhile', async () => {
    const isWrong = (n: number): boolean => n % WRONG_EVERY === 1;
    const lines = Array.from({ length: MANY_TOKENS }, (_, n) =>
      isWrong(n) ? `has blanks ${n},user${n}` : `many-${String(n).padStart(20, '0')},user${n}`,
    );
    const begun = await begin('often-killed', lines, 'pushType=fcm');
    let worked = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const before = worked;
      const { status, lines: reached } = await when(begun, (job) => job.lines > before || job.status === 'done');
      expect(status).toBe('working');
      worked = reached;
      postrider.system.kill('audience-worker');
      await begun.server.call('POST', '/api/push/toUsers', { user: 'user0', content: `after kill ${kill}` });
      await until(async () => (await simulator.counts()).accepted > kill && (true as const));
    }
    const wrong = MANY_TOKENS / WRONG_EVERY;
    const job = await ended(begun);
    expect(job).toMatchObject({ lines: MANY_TOKENS + 1, created: MANY_TOKENS - wrong, failed: wrong });
    const [stored] = await postrider.database.dataSource.query<object[]>(
      `SELECT count(*)::int AS devices, count(DISTINCT token)::int AS tokens, count(DISTINCT user_id)::int AS users,
         (SELECT count(*)::int FROM device_import_errors WHERE app_id = 'often-killed') AS errors
       FROM installations WHERE app_id = 'often-killed'`,
    );
    const devices = MANY_TOKENS - wrong;
    expect(stored).toEqual({ devices, tokens: devices, users: devices, errors: wrong });
    expect((await simulator.counts()).accepted).toBe(KILLS);
  });

  it('goes on where its worker was killed, leaves out the dead, and sends nobody anything', async () => {
    const begun = await begin(
      'killed',
      Array.from({ length: TOKENS }, (_, n) => line(n)),
    );
    await until(async () => (await simulator.counts()).rehearsed > RATE && (true as const));
    postrider.system.kill('audience-worker');
    const dead = TOKENS / DEAD_EVERY;
    const job = await ended(begun);
    expect(job).toMatchObject({
      created: TOKENS - dead,
      failed: dead,
      validation: { valid: TOKENS - dead, invalid: dead, unanswered: 0, lastError: null },
    });
    expect(job.errors[0]).toEqual({ line: 2, message: 'FCM refuses the token: UNREGISTERED' });
    const { accepted, rehearsed, refused } = await simulator.counts();
    expect(accepted).toBe(0);
    expect(refused.UNREGISTERED).toBeGreaterThanOrEqual(dead);
    expect(rehearsed + (refused.UNREGISTERED ?? 0)).toBeLessThanOrEqual(TOKENS + RATE);
  });

  it('takes no token for dead because FCM is in trouble, and asks again about it', async () => {
    await simulator.setFaults(
      { match: { share: 0.1, timesPerToken: 1 }, fault: { kind: 'status', http: 503 } },
      { match: { times: 3 }, fault: { kind: 'status', http: 429, retryAfter: 1 } },
      { match: { times: 5, timesPerToken: 1 }, fault: { kind: 'reset', taken: true } },
    );
    const begun = await begin(
      'trouble',
      Array.from({ length: 300 }, (_, n) => `token-${String(n).padStart(20, '0')},user${n}`),
    );
    expect(await ended(begun)).toMatchObject({
      created: 300,
      failed: 0,
      validation: { valid: 300, invalid: 0, unanswered: 0 },
    });
    expect((await simulator.counts()).accepted).toBe(0);
  });

  it('is not lost when FCM answers nothing but errors', async () => {
    await simulator.setFaults({ fault: { kind: 'status', http: 503 } });
    const begun = await begin('down', ['token-00000000000000000001,ada', 'token-00000000000000000002,bob']);
    const job = await ended(begun);
    expect(job).toMatchObject({ created: 2, failed: 0, validation: { valid: 0, invalid: 0, unanswered: 2 } });
    expect(job.validation.lastError).toMatch(/^UNAVAILABLE/);
  });
}
