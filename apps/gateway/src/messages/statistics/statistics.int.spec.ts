import { HOUR_MS } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { sealTrackedLink, trackedLinkKey } from '@postrider/rendering';
import { startTestGateway, testConfig, type TestAnswer, type TestGateway } from '../../testing/test-gateway';
import { ClickBuffer } from '../../trackers/redirector/click-buffer.service';

describe('statistics of messages', () => {
  let gateway: TestGateway;
  let server: string;
  let client: string;
  let phone: { id: string; userId: string };
  let tablet: { id: string; userId: string };
  const now = Date.now();
  const acceptedAt = new Date(now - 3 * HOUR_MS);

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
    phone = (await call('POST', 'installations', { userId: 'ada', deviceType: 'android' }, client)).body;
    tablet = (await call('POST', 'installations', { userId: 'bob', deviceType: 'ios' }, client)).body;
  });
  afterAll(() => gateway.close());

  function call(method: string, path: string, body?: unknown, token = server, headers = {}): Promise<TestAnswer> {
    return gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token, ...headers } });
  }

  async function send(trackId: string | null, to = [phone, tablet], isCampaign = false): Promise<string> {
    const messageId = newId(acceptedAt);
    await rows(
      gateway.database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, track_id, count,
         resolve_ceiling, resolved_at, accepted_at, expires_at)
       VALUES ('shop', $1, 'query', $2, 'campaign', '{}', 'public/default', '{}', $3, $4, 0, now(), $5, now() + '1 day')`,
      [messageId, isCampaign, trackId, to.length, acceptedAt],
    );
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT app_id, $1, id, 'sent', 2, 'fcm' FROM installations WHERE installation_id = ANY ($2::uuid[])`,
      [messageId, to.map(({ id }) => id)],
    );
    return messageId;
  }

  const report = (device: { id: string; userId: string }, ...eventData: object[]): Promise<TestAnswer> =>
    call('POST', 'installations/events', { installationId: device.id, userId: device.userId, eventData }, client);
  const receipt = (msgId: string, actionType: string, actionTs: number, more = {}): object => ({
    type: 1,
    msgId,
    actionType,
    actionTs,
    ...more,
  });

  it('count each device once, at the time of its first report, by action, platform and hour', async () => {
    const id = await send('spring');
    const open = receipt(id, 'OPENED', now - 2 * HOUR_MS);
    await report(phone, open, receipt(id, 'SHOWN', now - 2 * HOUR_MS), open);
    await report(phone, open);
    await report(phone, receipt(id, 'ACTION_TAKEN', now, { actionId: 'buy' }));
    await report(phone, receipt(id, 'ACTION_TAKEN', now - 2 * HOUR_MS, { actionId: 'buy' }));
    await report(tablet, receipt(id, 'DISMISSED', now), { type: 3, link: 'shop://x', msgId: id, actionTs: now });
    const { status, body } = await call('GET', `push/messages/${id}/stats`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      trackId: 'spring',
      messages: 1,
      count: 2,
      interval: 'hour',
      totals: { delivered: 2, shown: 1, opened: 1, dismissed: 1, actions: 1, links: 1, clicks: 0, conversions: 0 },
      actions: [{ id: 'buy', devices: 1 }],
      links: [{ link: 'shop://x', devices: 1, clicks: 0 }],
      byPlatform: { android: { shown: 1, opened: 1, actions: 1 }, ios: { dismissed: 1, links: 1 } },
    });
    expect(
      body.series.map(({ opened, actions, dismissed }: Record<string, number>) => [opened, actions, dismissed]),
    ).toEqual([
      [1, 1, 0],
      [0, 0, 1],
    ]);
    const later = await call(
      'GET',
      `push/messages/${id}/stats?from=${Math.floor(now / HOUR_MS) * HOUR_MS}&interval=day`,
    );
    expect(later.body.totals).toMatchObject({ opened: 0, dismissed: 1 });
  });

  it('are counted by the hour: another beginning or end is refused', async () => {
    const id = await send(null);
    const { status, body } = await call(
      'GET',
      `push/messages/${id}/stats?from=2026-03-01T10:30:00Z&to=2026-03-02T10:00:01Z`,
    );
    expect(status).toBe(400);
    const message = 'must be a full hour in UTC';
    expect(body.error.details).toEqual([
      { path: 'from', message },
      { path: 'to', message },
    ]);
    const hours = 'from=2026-03-01T10:00:00Z&to=2026-03-02T12:00:00%2B01:00';
    expect((await call('GET', `push/messages/${id}/stats?${hours}`)).status).toBe(200);
  });

  it('count an event once, also from a clock that runs ahead and when another message was opened meanwhile', async () => {
    const own = (await call('POST', 'installations', { userId: 'cleo', deviceType: 'android' }, client)).body;
    const [first, second] = [await send(null, [own]), await send(null, [own])];
    await report(own, receipt(first, 'OPENED', Date.now() - 1_000));
    const bought = { type: 2, data: { eventName: 'ahead', isRevenue: true, value: 5 }, createdAt: Date.now() + 60_000 };
    await report(own, bought);
    await report(own, bought);
    await report(own, receipt(second, 'OPENED', Date.now()));
    await report(own, bought, { ...bought, createdAt: bought.createdAt + 1 });
    const conversionsOf = async (id: string): Promise<number> =>
      (await call('GET', `push/messages/${id}/stats`)).body.totals.conversions;
    expect([await conversionsOf(first), await conversionsOf(second)]).toEqual([1, 1]);
  });

  it('are added up by campaign, found by its id, a message of it or its tracking id', async () => {
    const made = await call('POST', 'push/campaigns', { trackId: 'winter', name: 'Winter' });
    const [one, two] = [await send('winter', [phone, tablet], true), await send('winter', [phone], true)];
    await report(phone, receipt(one, 'OPENED', now), {
      type: 1,
      trackId: 'winter',
      actionType: 'OPENED',
      actionTs: now,
    });
    for (const id of [made.body.id, one, two, 'winter']) {
      const { body } = await call('GET', `push/campaigns/${id}/stats`);
      expect(body).toMatchObject({ trackId: 'winter', messages: 2, count: 3, totals: { opened: 2 } });
    }
    expect((await call('GET', `push/messages/${one}/stats`)).body.totals.opened).toBe(1);
    expect((await call('GET', 'push/campaigns/none/stats')).status).toBe(404);
  });

  it('of a campaign that was made before its first send are zero, by its id and by its tracking id', async () => {
    const made = await call('POST', 'push/campaigns', { trackId: 'autumn' });
    for (const id of [made.body.id, 'autumn']) {
      const { status, body } = await call('GET', `push/campaigns/${id}/stats`);
      expect([status, body]).toMatchObject([200, { id, trackId: 'autumn', messages: 0, count: 0 }]);
    }
    expect((await call('GET', 'push/campaigns/autumn/stats/links')).body.links).toEqual([]);
  });

  it.each([
    ['a UUID', '0b9d3a58-7c44-4a5e-9d0c-2f1f5a3f9e11', '0b9d3a58-7c44-4a5e-9d0c-2f1f5a3f9e11'],
    ['written with accents of their own', 'f\u00eate', 'fe\u0302te'],
  ])('are found by a tracking id that is %s', async (_, trackId, asked) => {
    const id = await send(trackId);
    await report(phone, receipt(id, 'OPENED', now));
    const found = await call('GET', `push/campaigns/${encodeURIComponent(asked)}/stats`);
    expect(found).toMatchObject({ status: 200, body: { trackId, messages: 1, totals: { opened: 1 } } });
  });

  it('count conversions for the message opened last before them, each once', async () => {
    const [first, last] = [await send(null), await send(null)];
    await report(phone, receipt(first, 'OPENED', now - 60_000), receipt(last, 'OPENED', now - 50_000));
    const bought = {
      type: 2,
      data: { eventName: 'purchase', isRevenue: true, value: 12.5, currency: 'EUR' },
      createdAt: now - 40_000,
    };
    await report(phone, bought);
    await report(phone, bought, { type: 2, eventName: 'gift', data: { revenue: '7' }, createdAt: now - 55_000 });
    await report(phone, { type: 2, eventName: 'level', data: { value: 3 }, createdAt: now - 30_000 });
    await report(tablet, { ...bought, createdAt: now - 39_000 });
    expect((await call('GET', `push/messages/${last}/stats`)).body).toMatchObject({
      totals: { conversions: 1 },
      revenue: [{ currency: 'EUR', conversions: 1, amount: 12.5 }],
    });
    expect((await call('GET', `push/messages/${first}/stats`)).body.revenue).toEqual([
      { currency: null, conversions: 1, amount: 7 },
    ]);
  });

  it('count every click on a tracked link, and its device once', async () => {
    const id = await send(null);
    const key = trackedLinkKey(testConfig('postgres://x/y').secretKey.reveal());
    const seal = (messageId: string, appId = 'shop'): string =>
      sealTrackedLink(key, { appId, messageId, installationId: phone.id, link: 'https://shop.example/ü?a=1' });
    const follow = (token: string, headers = {}): Promise<TestAnswer> =>
      gateway.request('GET', `/t/l/${token}`, {
        headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 13)', ...headers },
      });
    for (let n = 0; n < 3; n++) {
      expect(await follow(seal(id))).toMatchObject({
        status: 302,
        headers: { location: 'https://shop.example/%C3%BC?a=1', 'cache-control': 'no-store' },
      });
    }
    await follow(seal(id), { 'sec-purpose': 'prefetch' });
    await follow(seal(newId()));
    expect((await follow(`${seal(id).slice(0, -3)}abc`)).status).toBe(404);
    await gateway.app.get(ClickBuffer, { strict: false }).flush();
    expect((await call('GET', `push/messages/${id}/stats`)).body).toMatchObject({
      totals: { links: 1, clicks: 3, opened: 0 },
      links: [{ link: 'https://shop.example/ü?a=1', devices: 1, clicks: 3 }],
    });
    // A link still counts after its device was removed.
    const gone = (await call('POST', 'installations', { userId: 'eve', deviceType: 'android' }, client)).body;
    const other = await send(null, [gone]);
    await rows(gateway.database, `DELETE FROM installations WHERE installation_id = $1`, [gone.id]);
    const token = sealTrackedLink(key, {
      appId: 'shop',
      messageId: other,
      installationId: gone.id,
      link: 'https://a.example',
    });
    expect((await follow(token)).status).toBe(302);
    await gateway.app.get(ClickBuffer, { strict: false }).flush();
    expect((await call('GET', `push/messages/${other}/stats`)).body.totals).toMatchObject({ links: 0, clicks: 1 });
    // Neither a click nor a link that the device reports proves that the message arrived.
    await report(phone, { type: 3, link: 'https://shop.example/ü?a=1', msgId: id, actionTs: now });
    expect((await call('GET', `push/messages/${id}/deliveries`)).body.deliveries).toMatchObject([
      { state: 'sent' },
      { state: 'sent' },
    ]);
    expect((await call('GET', `push/messages/${id}`)).body.totals).toMatchObject({ sent: 2, delivered: 0 });
  });

  it('are written as CSV, which no spreadsheet runs', async () => {
    const id = await send(null);
    await report(phone, receipt(id, 'ACTION_TAKEN', now, { actionId: '=1+1' }));
    for (const answer of [
      await call('GET', `push/messages/${id}/stats?format=csv`),
      await call('GET', `push/messages/${id}/stats`, undefined, server, { accept: 'text/csv' }),
    ]) {
      expect(answer.headers['content-type']).toContain('text/csv');
      const lines = (answer.body as string).trimEnd().split('\r\n');
      expect(lines[0]).toBe('at,platform,kind,name,count,revenue');
      expect(lines.slice(1).map((line) => line.split(',').slice(1).join(','))).toEqual([
        "android,action,'=1+1,1,",
        'android,clicked,,1,',
        'android,delivered,,1,',
        'android,opened,,1,',
      ]);
    }
    expect((await call('GET', `push/messages/${id}/stats`, undefined, server, { accept: 'image/png' })).status).toBe(
      406,
    );
    expect((await call('GET', `push/messages/${id}/stats?interval=year`)).status).toBe(400);
  });

  it('have negative revenue as a number in CSV', async () => {
    const buyer = (await call('POST', 'installations', { userId: 'eva', deviceType: 'android' }, client)).body;
    const id = await send(null, [buyer]);
    await report(buyer, receipt(id, 'OPENED', now));
    expect((await report(buyer, { type: 2, eventName: 'refund', data: { revenue: -12.5 } })).status).toBe(200);
    const { body } = await call('GET', `push/messages/${id}/stats?format=csv`);
    expect(body).toContain(',android,conversion,,1,-12.5\r\n');
  });

  it('are never cut: sums of everything, lists by page, and how many more there are', async () => {
    const LINKS = 50_500;
    const id = await send('many');
    await report(phone, receipt(id, 'OPENED', now), receipt(id, 'SHOWN', now));
    await rows(
      gateway.database,
      `INSERT INTO message_counts (app_id, message_id, kind, name_key, hour, platform, name, count)
       SELECT 'shop', $1, 'link', sha256(convert_to('shop://' || n, 'UTF8')), date_trunc('hour', now(), 'UTC'), 'android',
         'shop://' || n, 1 FROM generate_series(1, $2::int) n`,
      [id, LINKS],
    );
    for (const path of [`push/messages/${id}/stats`, 'push/campaigns/many/stats']) {
      const { body } = await call('GET', path);
      expect(body).toMatchObject({ totals: { opened: 1, shown: 1, links: LINKS }, more: { actions: 0, revenue: 0 } });
      expect([body.links.length, body.more.links]).toEqual([200, LINKS - 200]);
      const listed = new Set<string>();
      let cursor: string | null = '';
      let pages = 0;
      while (cursor !== null && pages < 3) {
        const page: TestAnswer = await call('GET', `${path}/links?limit=1000${cursor && `&cursor=${cursor}`}`);
        for (const { link } of page.body.links) listed.add(link);
        expect(page.body.total).toBe(LINKS);
        cursor = page.body.nextCursor;
        pages++;
      }
      expect(listed.size).toBe(3_000);
    }
    const last = await call(
      'GET',
      `push/messages/${id}/stats/links?cursor=${Buffer.from('50400').toString('base64url')}`,
    );
    expect([last.body.links.length, last.body.nextCursor]).toEqual([100, null]);
    expect((await call('GET', `push/messages/${id}/stats/others`)).status).toBe(404);
    const csv = await call('GET', `push/messages/${id}/stats?format=csv`);
    expect(new Set((csv.body as string).trimEnd().split('\r\n')).size).toBe(LINKS + 4);
  });

  it('list no name twice, although names are chosen meanwhile that come before it', async () => {
    const id = await send(null);
    const chosen = (name: string, count: number): Promise<unknown> =>
      rows(
        gateway.database,
        `INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count)
         VALUES ('shop', $1, 'link', sha256(convert_to($2, 'UTF8')), date_trunc('hour', now(), 'UTC'), 'android', $2, $3)
         ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`,
        [id, name, count],
      );
    for (const [name, count] of [
      ['a', 5],
      ['b', 4],
      ['c', 4],
      ['d', 2],
    ] as const)
      await chosen(`shop://${name}`, count);
    const path = `push/messages/${id}/stats/links?limit=2`;
    const first = await call('GET', path);
    await chosen('shop://new', 9);
    await chosen('shop://a', 1);
    const second = await call('GET', `${path}&cursor=${first.body.nextCursor as string}`);
    const listed = [first, second].flatMap(
      ({ body }) => body.links.map(({ link }: { link: string }) => link) as string[],
    );
    expect(listed.toSorted()).toEqual(['shop://a', 'shop://b', 'shop://c', 'shop://d']);
    expect(second.body).toMatchObject({ total: 5, nextCursor: null });
  });

  it('are nobody else’s', async () => {
    const id = await send('secret');
    const stranger = await gateway.application('other');
    expect((await call('GET', `push/messages/${id}/stats`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', `push/campaigns/secret/stats`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', `push/messages/${id}/stats`, undefined, client)).status).toBe(403);
  });
});
