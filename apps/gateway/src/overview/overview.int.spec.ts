import { OverviewRepository, rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { configureVendor, untilTrue } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('the overview', () => {
  let gateway: TestGateway;
  let shop: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    shop = await gateway.application('shop');
  });

  afterAll(() => gateway.close());

  const ask = (token: string, query: string): Promise<TestAnswer> =>
    gateway.request('GET', `/api/push/overview${query}`, { headers: { 'x-access-token': token } });
  /** Asks until every figure is there: a figure that takes long to compute is null at first. */
  const read = async (token: string, query = ''): Promise<TestAnswer> => {
    let answer = await ask(token, query);
    await untilTrue(async () => {
      const { sends, skips, devices, online } = answer.body;
      if (answer.status !== 200 || (sends !== null && skips !== null && devices !== null && online !== null))
        return true;
      answer = await ask(token, query);
      return false;
    });
    return answer;
  };
  const sql = (text: string, ...values: unknown[]): Promise<unknown> => rows(gateway.database, text, values);

  it('tells a newcomer what is still to do', async () => {
    const token = await gateway.application('empty');
    const { status, body } = await read(token);
    expect(status).toBe(200);
    expect(body.steps).toEqual({ hasVendor: false, hasDevice: false, hasMessage: false });
    expect(body.attention).toMatchObject([{ kind: 'no_vendor', severity: 'warning' }]);
    expect(body.devices).toMatchObject({ total: 0, reachable: 0, byType: [], waitingForVendors: [] });
    expect(body.throughput.points).toHaveLength(60);
  });

  it('shows what was sent, to whom it could be, how fast, and what is wrong', async () => {
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (const [type, token] of [
      ['android', 'a'],
      ['android', 'b'],
      ['ios', 'c'],
    ]) {
      await gateway.request('POST', '/api/installations', {
        body: { userId: 'ada', deviceType: type, deviceToken: token === 'c' ? 'ab'.repeat(32) : token },
        headers: { 'x-access-token': shop },
      });
    }
    await sql(`INSERT INTO edges (edge_id, heartbeat_at) VALUES ('edge-1', now() + interval '1 hour')`);
    await sql(
      `INSERT INTO presence (app_id, id, edge_id, epoch) SELECT app_id, id, 'edge-1', 1 FROM installations LIMIT 1`,
    );
    const id = newId();
    await sql(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         resolved_at, accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{"content":"hi"}', 3, 9, now(), now(),
         now() + interval '1 day')`,
      id,
    );
    await sql(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, first_attempt_at, finished_at, created_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1,2}', 'finished', now(), now(), now()),
         ('shop', $1, $3, 'fcm', 'campaign', '{3}', 'waiting', NULL, NULL, now() - interval '1 minute'),
         ('shop', $1, $4, 'fcm', 'campaign', '{4,5,6}', 'finished', NULL, now(), now())`,
      id,
      newId(),
      newId(),
      newId(),
    );
    await sql(
      `INSERT INTO message_counts (app_id, message_id, kind, hour, platform, count)
       VALUES ('shop', $1, 'delivered', date_trunc('hour', now()), 'android', 2),
         ('shop', $1, 'opened', date_trunc('hour', now()), 'android', 1),
         ('shop', $1, 'shown', date_trunc('hour', now()), 'android', 1)`,
      id,
    );
    await sql(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, low_since, created_at)
       VALUES ('shop', $1, 'spring', 'in_force', 1000, 12, now(), now())`,
      newId(),
    );
    const { body } = await read(shop, `?since=${new Date(Date.now() - 3_600_000).toISOString()}`);
    expect(body.sends).toMatchObject({ messages: 0, campaigns: 1, devices: 3, delivered: 2, opened: 1 });
    expect(body.devices).toMatchObject({
      total: 3,
      reachable: 2,
      byType: [
        { deviceType: 'android', total: 2, reachable: 2 },
        { deviceType: 'ios', total: 1, reachable: 0 },
      ],
    });
    expect(body.devices.waitingForVendors).toEqual([{ vendor: 'apns', devices: 1 }]);
    expect(body.online).toMatchObject({ devices: 1 });
    const sent = body.throughput.points.map(({ devices }: { devices: number }) => devices);
    expect(sent.reduce((sum: number, devices: number) => sum + devices, 0)).toBe(2);
    expect(body.attention).toMatchObject([
      { kind: 'lag', severity: 'error' },
      { kind: 'promo', severity: 'warning', message: expect.stringContaining('12 of 1000') },
    ]);
    expect(body.steps).toEqual({ hasVendor: true, hasDevice: true, hasMessage: true });
  });

  it('adds up what left today, and what devices said of that: nothing scheduled, cancelled in time, or of yesterday', async () => {
    await gateway.application('today');
    // The database has partitions for the next days.
    const noon = Date.now() + 36 * 3_600_000;
    const hours = (n: number): Date => new Date(noon + n * 3_600_000);
    const insert = async (changes: {
      at?: Date;
      sendAt?: Date;
      cancelledAt?: Date;
      isNamed?: boolean;
      said?: number;
    }) => {
      const { at = hours(-0.8), sendAt = null, cancelledAt = null, isNamed = false, said = 0 } = changes;
      const id = newId(at);
      await sql(
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
           resolved_at, accepted_at, expires_at, send_at, cancelled_at)
         VALUES ('today', $1, 'query', NOT $5::boolean, 'campaign', '{}', 'public/default', '{"content":"hi"}', 10, 9, $2::timestamptz, $2,
           $2 + interval '1 day', $3, $4)`,
        ...[id, at, sendAt, cancelledAt, isNamed],
      );
      await sql(
        `INSERT INTO message_counts (app_id, message_id, kind, hour, platform, count)
         SELECT 'today', $1, kind, date_trunc('hour', now()), 'android', $2::int FROM unnest('{delivered,opened}'::text[]) AS kind
         WHERE $2::int > 0`,
        ...[id, said],
      );
    };
    await insert({ said: 4 });
    await insert({ isNamed: true, said: 1 });
    // Moved from tomorrow to a moment ago, and stopped while it was sent.
    await insert({ at: hours(24), sendAt: hours(-0.5) });
    await insert({ sendAt: hours(-0.5), cancelledAt: hours(-0.1) });
    for (const other of [
      { at: hours(24), sendAt: hours(24) },
      { sendAt: hours(24) },
      { at: hours(-0.5), sendAt: hours(-0.1), cancelledAt: hours(-0.5) },
      { at: hours(-3), said: 7 },
    ])
      await insert(other);
    const sums = await new OverviewRepository(gateway.database).sumSends('today', hours(-1), hours(0));
    expect(sums).toEqual({ messages: 1, campaigns: 3, devices: 40, delivered: 5, opened: 5 });
  });

  it('counts by reason and vendor the devices that were skipped by what left today', async () => {
    const token = await gateway.application('skips');
    await gateway.application('skipsnext');
    const now = Date.now();
    const insert = async (
      changes: { appId?: string; at?: number; cancelledAt?: number | null },
      ...skips: string[][]
    ) => {
      const { appId = 'skips', at = now - 60_000, cancelledAt = null } = changes;
      const id = newId(new Date(at));
      await sql(
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
           resolved_at, accepted_at, expires_at, cancelled_at)
         VALUES ($1, $2, 'query', true, 'campaign', '{}', 'public/default', '{"content":"hi"}', 10, 9, $3::timestamptz, $3,
           $3 + interval '1 day', $4)`,
        ...[appId, id, new Date(at), cancelledAt === null ? null : new Date(cancelledAt)],
      );
      await sql(
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, created_at, updated_at)
         SELECT $1, $2, n, skip ->> 0, 0, nullif(skip ->> 1, ''), nullif(skip ->> 2, ''), skip ->> 3, now(), now()
         FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS given (skip, n)`,
        ...[appId, id, JSON.stringify(skips)],
      );
    };
    const capped = ['skipped', 'fcm', 'frequency_capped', 'The user has reached a cap'];
    await insert({}, capped, capped, ['skipped', 'apns', 'frequency_capped', 'The user has reached a cap']);
    await insert(
      {},
      ['skipped', '', '', 'no_token'],
      ['skipped', 'hms', '', 'vendor_not_configured'],
      ['sent', 'fcm', '', ''],
    );
    // Not of this application; of the day before; cancelled before its time.
    await insert({ appId: 'skipsnext' }, capped);
    await insert({ at: now - 7_200_000 }, capped);
    await insert({ cancelledAt: now - 90_000 }, capped);
    const { body } = await read(token, `?since=${new Date(now - 3_600_000).toISOString()}`);
    expect(body.skips).toMatchObject({
      since: body.sends.since,
      devices: 5,
      byReason: { frequency_capped: 3, no_token: 1, vendor_not_configured: 1 },
      byVendor: {
        fcm: { frequency_capped: 2 },
        apns: { frequency_capped: 1 },
        hms: { vendor_not_configured: 1 },
      },
    });
    expect(Object.keys(body.skips.byVendor)).toHaveLength(3);
  });

  it('adds up the campaigns of a month by the day on which they left', async () => {
    const token = await gateway.application('month');
    // One moment for all: a day may end while they are written.
    const at = new Date();
    const insert = async (changes: { status?: string; sendAt?: string; isNamed?: boolean; appId?: string }) => {
      const { status = 'done', sendAt = null, isNamed = false, appId = 'month' } = changes;
      const id = newId(at);
      await sql(
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
           resolved_at, accepted_at, expires_at, status, send_at, user_ids)
         VALUES ($1, $2, 'query', NOT $5::boolean, 'campaign', '{}', 'public/default', '{"content":"hi"}', 10, 9, $6::timestamptz, $6,
           $6 + interval '1 day', $3, $4::timestamptz, CASE WHEN $5 THEN ARRAY['ada'] END)`,
        ...[appId, id, status, sendAt, isNamed, at],
      );
      await sql(
        `INSERT INTO message_counts (app_id, message_id, kind, hour, platform, count)
         SELECT $1, $2, kind, date_trunc('hour', now()), platform, 1
         FROM unnest('{delivered,opened,clicked,shown}'::text[]) AS kind, unnest('{android,ios}'::text[]) AS platform`,
        ...[appId, id],
      );
    };
    await gateway.application('neighbor');
    await insert({});
    await insert({});
    for (const left of [
      { status: 'cancelled' },
      { status: 'accepted', sendAt: '2999-01-01T00:00:00Z' },
      { isNamed: true },
      { appId: 'neighbor' },
    ])
      await insert(left);
    let answer = await ask(token, '/campaigns');
    await untilTrue(async () => {
      if (answer.body.asOf !== null) return true;
      answer = await ask(token, '/campaigns');
      return false;
    });
    const { days } = answer.body as { days: { at: string; campaigns: number }[] };
    expect(days).toHaveLength(31);
    expect(new Set(days.map(({ at }) => at.slice(10)))).toEqual(new Set(['T00:00:00.000Z']));
    expect(days.filter(({ campaigns }) => campaigns > 0)).toMatchObject([
      { campaigns: 2, devices: 20, delivered: 4, opened: 4, clicked: 4 },
    ]);
  });

  it('adds up no more than the last two days, and shows nobody another application’s figures', async () => {
    for (const since of ['yesterday', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']) {
      expect(await read(shop, `?since=${since}`)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'since' }] } },
      });
    }
    const other = await gateway.application('other');
    expect((await read(other)).body).toMatchObject({
      sends: { campaigns: 0, devices: 0 },
      devices: { total: 0 },
      online: { devices: 0 },
    });
    expect((await read(await gateway.token('shop', ['send']))).status).toBe(403);
  });
});
