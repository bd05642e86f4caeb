import { rows } from '@postrider/persistence';
import { until } from '@postrider/testing';
import { fillDemo, type FillProgress } from '@postrider/tools/start/demo/fill-demo';
import type { Api } from '@postrider/tools/start/api';
import type { Postrider } from '../support/postrider';

const DEVICES = 400;

interface Message {
  id: string;
  count: number;
  status: string;
  trackId: string | null;
  totals: Record<string, number>;
}

/** The demo application that `npm start` fills, as a newcomer finds it. */
export function demonstrationScenario(start: () => Postrider): void {
  let postrider: Postrider;
  let server: Api;
  let saved: { until: string; isFilled: boolean } | null = null;
  let fill: () => Promise<boolean>;
  let isFilled = false;

  beforeAll(async () => {
    postrider = start();
    const { system, adminToken, database } = postrider;
    const { server: api, serverToken, clientToken } = await postrider.createApplication('demo');
    server = api;
    const progress = (): FillProgress => ({
      until: saved?.until ?? null,
      isFilled: saved?.isFilled ?? false,
      save: (now) => Promise.resolve(void (saved = now)),
    });
    fill = () =>
      fillDemo(
        {
          databaseUrl: database.url,
          gatewayUrl: system.gatewayUrl,
          simulatorUrl: system.simulatorUrl,
          simulator: system.simulator,
          adminToken,
          demo: { appId: 'demo', serverToken, clientToken },
          signal: new AbortController().signal,
          devices: DEVICES,
        },
        progress(),
      );
    isFilled = await fill();
    expect(isFilled).toBe(true);
  });

  afterAll(async () => {
    if (!isFilled) console.error('The filling did not end.', await statements());
  });

  /** What PostgreSQL is doing for the processes and for the filling, the oldest statement first. */
  const statements = (): Promise<object[]> =>
    rows(
      postrider.database.dataSource,
      `SELECT pid, application_name, state, wait_event_type, wait_event, pg_blocking_pids(pid) AS blocked_by,
         (clock_timestamp() - query_start)::text AS age, left(query, 300) AS query
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY query_start`,
    );

  const get = async <T>(path: string): Promise<T> => (await server.call<T>('GET', path)).body;
  const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

  async function campaigns(): Promise<Message[]> {
    return (await get<{ campaigns: Message[] }>('/api/push/campaigns?limit=100')).campaigns;
  }

  it('has four weeks of campaigns whose totals add up, and whose figures are those of their deliveries', async () => {
    const past = (await campaigns()).filter(({ status }) => status === 'done');
    expect(past.length).toBeGreaterThan(28);
    for (const { id, count } of past.slice(-10)) {
      const message = await get<Message>(`/api/push/messages/${id}`);
      expect([id, sum(Object.values(message.totals))]).toEqual([id, count]);
      const [recorded] = await rows<{ delivered: number; opened: number; pressed: number; revenue: number }>(
        postrider.database.dataSource,
        `SELECT count(delivered_at)::int AS delivered, count(opened_at)::int AS opened,
           (SELECT count(*)::int FROM delivery_clicks c WHERE c.app_id = 'demo' AND c.message_id = $1 AND c.kind = 'action') AS pressed,
           (SELECT coalesce(sum(revenue), 0)::float8 FROM conversions c WHERE c.app_id = 'demo' AND c.message_id = $1) AS revenue
         FROM deliveries WHERE app_id = 'demo' AND message_id = $1`,
        [id],
      );
      const [counted] = await rows<typeof recorded & object>(
        postrider.database.dataSource,
        `SELECT coalesce(sum(count) FILTER (WHERE kind = 'delivered'), 0)::int AS delivered,
           coalesce(sum(count) FILTER (WHERE kind = 'opened'), 0)::int AS opened,
           coalesce(sum(count) FILTER (WHERE kind = 'action'), 0)::int AS pressed, coalesce(sum(amount), 0)::float8 AS revenue
         FROM message_counts WHERE app_id = 'demo' AND message_id = $1`,
        [id],
      );
      expect(counted).toEqual(recorded);
    }
  });

  it('gives every page something to say', async () => {
    // Devices are counted in the background.
    const overview = await until(async () => {
      const found = await get<{ devices: object | null; sends: { opened: number } }>('/api/push/overview');
      return found.devices === null ? null : found;
    });
    expect(JSON.stringify(overview.devices)).toContain('"reachable"');
    const segments = await get<{ segments: { id: string }[] }>('/api/segments');
    expect(segments.segments.length).toBeGreaterThanOrEqual(4);
    const sizes = await get<{ sizes: { devices: number }[] }>(`/api/segments/${segments.segments[0]?.id}/sizes`);
    expect(sizes.sizes.length).toBeGreaterThan(100);
    const { trackers } = await get<{ trackers: { id: string }[] }>('/api/trackers');
    expect(trackers).toHaveLength(3);
    expect(JSON.stringify(await get(`/api/trackers/${trackers[0]?.id}/stats`))).toMatch(/"clicks":[1-9]/);
    expect((await get<{ sets: unknown[] }>('/api/promo/sets')).sets).toHaveLength(1);
    expect((await get<{ channels: unknown[] }>('/api/channels')).channels.length).toBeGreaterThan(2);
    const { templates } = await get<{ templates: { name: string }[] }>('/api/templates');
    expect(templates.map(({ name }) => name).sort()).toEqual(['Order ready', 'Weekly picks']);
    expect((await get<{ drafts: { name: string }[] }>('/api/drafts')).drafts).toMatchObject([{ name: 'Winter sale' }]);
    expect((await campaigns()).map(({ status, trackId }) => `${trackId} ${status}`)).toContain('weekend accepted');
    const { users } = await get<{ users: { userId: string }[] }>('/api/users?limit=5');
    expect(users[0]?.userId).toMatch(/^[a-z]+\.[a-z]+\.\d+$/);
    const days = `${Date.now() - 30 * 86_400_000}/${Date.now()}`;
    expect((await get<{ count: number }>(`/api/installations/v1/uninstall/report/${days}`)).count).toBeGreaterThan(0);
  });

  it('lives: what is sent today arrives on phones that report, with a promo code each', async () => {
    const today = (await campaigns()).find(({ trackId }) => trackId === 'welcome-back');
    await until(async () => {
      const { totals } = await get<Message>(`/api/push/messages/${today?.id}`);
      return (totals.shown ?? 0) + (totals.opened ?? 0) + (totals.dismissed ?? 0) > 0;
    });
    const { sets } = await get<{ sets: { assigned: number }[] }>('/api/promo/sets');
    expect(sets[0]?.assigned).toBeGreaterThan(0);
  });

  it('is not filled twice, and goes on where it was interrupted', async () => {
    const count = async (): Promise<number[]> => {
      const [found] = await rows<{ messages: number; devices: number }>(
        postrider.database.dataSource,
        `SELECT (SELECT count(*)::int FROM messages) AS messages, (SELECT count(*)::int FROM installations) AS devices`,
      );
      return [found?.messages ?? 0, found?.devices ?? 0];
    };
    const before = await count();
    expect(await fill()).toBe(true);
    expect(await count()).toEqual(before);
    const kept = await get('/api/templates');
    await rows(postrider.database.dataSource, `DELETE FROM messages WHERE client_id IN ('history-3', 'history-9')`);
    saved = { until: saved?.until ?? '', isFilled: false };
    expect(await fill()).toBe(true);
    expect(await count()).toEqual(before);
    expect(await get('/api/templates')).toEqual(kept);
    saved = null;
    expect(await fill()).toBe(false);
    expect(await count()).toEqual(before);
  });
}
