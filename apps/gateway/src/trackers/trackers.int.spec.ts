import { rows } from '@postrider/persistence';
import { TestClock, whileHolding } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';
import { ClickBuffer } from './redirector/click-buffer.service';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const PLAY = 'https://play.google.com/store/apps/details?id=com.shop';

describe('trackers', () => {
  let gateway: TestGateway;
  let server: string;
  let client: string;
  const clock = new TestClock();

  beforeAll(async () => {
    gateway = await startTestGateway({ publicUrl: undefined, trackerUrl: undefined }, clock);
    server = await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
  });
  afterAll(() => gateway.close());
  // All tests click from one address, for which a minute brings no more than so many waiting links.
  beforeEach(() => clock.advance(60_000));

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token } });
  const click = (
    path: string,
    agent = IPHONE,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<TestAnswer> => gateway.request(method, path, { headers: { 'user-agent': agent, ...headers } });
  const make = async (body: object, token = server): Promise<{ id: string; path: string }> => {
    const answer = await call('POST', 'trackers', { name: 'Sale', ...body }, token);
    expect(answer.status).toBe(201);
    return { id: answer.body.id, path: new URL(answer.body.url).pathname };
  };
  const writeClicks = (): Promise<void> => gateway.app.get(ClickBuffer, { strict: false }).flush();
  const statsOf = async (id: string): Promise<TestAnswer['body']> => {
    await writeClicks();
    return (await call('GET', `trackers/${id}/stats`)).body;
  };
  const register = async (userId: string, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('POST', '/api/installations', {
      body: { userId, deviceType: 'ios', ...body },
      headers: { 'x-access-token': client, ...headers },
    });

  it.each(['https', 'HTTPS', 'https, http'])(
    'have an address with https where a proxy ends TLS and says %s',
    async (scheme) => {
      const { body } = await gateway.request('POST', '/api/trackers', {
        body: { name: 'Sale', destination: 'https://shop.example/' },
        headers: { 'x-access-token': server, host: 'push.example.net', 'x-forwarded-proto': scheme },
      });
      expect(body.url).toBe(`https://push.example.net/t/${body.id}`);
    },
  );

  it('keep no more waiting links for one address than a minute may bring, and lead everybody on', async () => {
    const { id, path } = await make({ platforms: { ios: 'https://apps.apple.com/app/id1' }, deepLink: 'shop://sale' });
    const others = { 'user-agent': IPHONE };
    for (let from = 0; from < 605; from += 55) {
      const answers = await Promise.all(
        Array.from({ length: 55 }, () => gateway.request('GET', path, { headers: others })),
      );
      expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    }
    expect((await statsOf(id)).totals.clicks).toBe(605);
    const [kept] = await rows<{ links: number }>(
      gateway.database,
      `SELECT count(*)::int AS links FROM deferred_links WHERE tracker_id = $1`,
      [id],
    );
    expect(kept?.links).toBe(600);
  });

  it('keep the changes of two people at once', async () => {
    const { id } = await make({ destination: 'https://shop.example/' });
    const changes = [{ name: 'Spring sale' }, { deepLink: 'shop://spring' }];
    const answers = await whileHolding(
      gateway.database,
      (held) => held.query(`SELECT FROM trackers WHERE tracker_id = $1 FOR UPDATE`, [id]),
      () => Promise.all(changes.map((change) => call('PATCH', `trackers/${id}`, change))),
      2,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await call('GET', `trackers/${id}`)).body).toMatchObject({ ...changes[0], ...changes[1] });
  });

  it('are made, listed, changed and removed by their application alone', async () => {
    const made = await call('POST', 'trackers', {
      name: 'Summer',
      destination: 'https://shop.example/summer',
      platforms: { ios: 'https://apps.apple.com/app/id1', android: PLAY },
      deepLink: 'shop://summer',
      allowedHosts: ['Blog.shop.example'],
    });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Summer', allowedHosts: ['blog.shop.example'], redirect: null, deepLink: 'shop://summer' },
    });
    const { id, url } = made.body;
    expect(url).toBe(`${gateway.address}/t/${id}`);
    const reader = await gateway.token('shop', ['read']);
    expect((await call('GET', 'trackers?limit=1', undefined, reader)).body.trackers).toHaveLength(1);
    expect((await call('POST', 'trackers', { name: 'x' }, reader)).status).toBe(403);
    expect((await call('PATCH', `trackers/${id}`, { redirect: 'https://shop.example/r' })).body).toMatchObject({
      redirect: 'https://shop.example/r',
      deepLink: 'shop://summer',
    });
    const stranger = await gateway.application('other');
    expect((await call('GET', `trackers/${id}`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', `trackers/${id}/stats`, undefined, stranger)).status).toBe(404);
    expect((await call('PATCH', `trackers/${id}`, { name: 'y' }, stranger)).status).toBe(404);
    expect((await call('DELETE', `trackers/${id}`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', 'trackers', undefined, stranger)).body).toEqual({ trackers: [], nextCursor: null });
    expect((await click(`/t/${id}`)).status).toBe(200);
    expect((await call('DELETE', `trackers/${id}`)).body).toEqual({ count: 1 });
    expect((await click(`/t/${id}`)).status).toBe(404);
    expect((await call('DELETE', `trackers/${id}`)).body.error).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('are listed to the last, also when those of the page before are deleted', async () => {
    const token = await gateway.application('tidy');
    for (const name of ['a', 'b', 'c']) await call('POST', 'trackers', { name }, token);
    expect((await call('GET', 'trackers?name=B', undefined, token)).body.trackers).toMatchObject([{ name: 'b' }]);
    const seen: string[] = [];
    for (let query = 'limit=1'; ;) {
      const { body } = await call('GET', `trackers?${query}`, undefined, token);
      for (const { id, name } of body.trackers as { id: string; name: string }[]) {
        seen.push(name);
        await call('DELETE', `trackers/${id}`, undefined, token);
      }
      if (body.nextCursor === null) break;
      query = `limit=1&cursor=${body.nextCursor}`;
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('name every bad field', async () => {
    const { status, body } = await call('POST', 'trackers', {
      destination: 'javascript:alert(1)',
      redirect: 'https://a@evil.example',
      deepLink: 'data:x',
      platforms: { ios: 'no link', palm: 'x' },
      allowedHosts: ['https://x/'],
    });
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(['name', 'platforms.palm']);
    const refused = await call('POST', 'trackers', {
      name: 'x',
      destination: 'javascript:alert(1)',
      redirect: 'https://a@evil.example',
      deepLink: 'data:x',
      platforms: { ios: 'no link' },
      allowedHosts: ['https://x/'],
    });
    expect(refused.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'allowedHosts[0]',
      'deepLink',
      'destination',
      'platforms.ios',
      'redirect',
    ]);
  });

  it('lead where the platform says, and never where the application does not allow', async () => {
    const { path } = await make({ destination: 'https://shop.example/', platforms: { android: PLAY } });
    const opened = await click(`${path}?deep_link=${encodeURIComponent('shop://محصول/42?a=%20b&c="<x>')}`);
    expect(opened.status).toBe(200);
    expect(opened.body).toContain('shop://محصول/42?a&#61;%20b&#38;c&#61;%22%3Cx%3E');
    expect(opened.body).not.toContain('<x>');
    const fine = await click(`${path}?deep_link=${encodeURIComponent('shop://محصول/42?a=%20b&c=d')}`);
    expect(fine).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    });
    expect(fine.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(fine.body).toContain('shop://محصول/42?a&#61;%20b&#38;c&#61;d');
    const android = await click(`${path}?deep_link=${encodeURIComponent('shop://product/42')}`, ANDROID);
    expect(android.body).toContain(
      'intent://product/42#Intent;scheme&#61;shop;package&#61;com.shop;S.browser_fallback_url',
    );
    for (const redirect of [
      'https://evil.example',
      '//evil.example',
      'https://shop.example@evil.example',
      'javascript:1',
    ]) {
      const answer = await click(`${path}?redirect=${encodeURIComponent(redirect)}`, DESKTOP);
      expect(answer).toMatchObject({ status: 302, headers: { location: 'https://shop.example/' } });
    }
    const allowed = await click(`${path}?redirect=${encodeURIComponent('https://shop.example/ü?a=b')}`, DESKTOP);
    expect(allowed.headers.location).toBe('https://shop.example/%C3%BC?a=b');
  });

  it('keep to the hosts that the operator names for the application', async () => {
    const operator = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    await gateway.application('strict');
    const changed = await gateway.request('PATCH', '/api/admin/apps/strict', {
      body: { linkHosts: ['Strict.example', '*.strict.example'], linkSchemes: ['strict'] },
      headers: operator,
    });
    expect(changed.body).toMatchObject({ linkHosts: ['strict.example', '*.strict.example'], matchByAddress: false });
    const strict = await gateway.token('strict', ['server']);
    const bad = await call('POST', 'trackers', { name: 'x', destination: 'https://elsewhere.example/' }, strict);
    expect(bad.body.error.details[0].path).toBe('destination');
    const made = await call(
      'POST',
      'trackers',
      { name: 'x', destination: 'https://strict.example/', platforms: { android: PLAY } },
      strict,
    );
    const { pathname } = new URL(made.body.url);
    const to = async (redirect: string): Promise<unknown> =>
      (await click(`${pathname}?redirect=${encodeURIComponent(redirect)}`, DESKTOP)).headers.location;
    expect(await to('https://blog.strict.example/x')).toBe('https://blog.strict.example/x');
    expect(await to('https://play.google.com/x')).toBe('https://strict.example/');
    expect((await click(`${pathname}?deep_link=other://x`)).status).toBe(302);
    expect((await click(`${pathname}?deep_link=strict://x`)).status).toBe(200);
  });

  it('answer an unknown link with a page', async () => {
    for (const path of [
      '/t/0unknownxxxx',
      '/t/a',
      '/t/../x',
      '/t/l/nonsense',
      '/t/a/b/c',
      '/t/',
      '/t/?deep_link=a://b',
    ]) {
      const answer = await click(path);
      if (path !== '/t/../x') expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.status).toBe(404);
    }
  });

  it('count every click of a person, and visitors once a day', async () => {
    const { id, path } = await make({ destination: 'https://shop.example/' });
    await Promise.all(Array.from({ length: 20 }, () => click(path, IPHONE)));
    await click(path, ANDROID);
    await click(path, 'TelegramBot (like TwitterBot)');
    await click(path, DESKTOP, { purpose: 'prefetch' });
    await click(path, DESKTOP, {}, 'HEAD');
    const stats = await statsOf(id);
    expect(stats.totals).toEqual({ clicks: 21, visitors: 2, installs: 0, opened: 0, declined: 0 });
    expect(stats.byPlatform.ios).toMatchObject({ clicks: 20, visitors: 1 });
    expect(stats.series).toHaveLength(1);
  });

  it('answer a link that comes again as they did at first, with a token of its own, until the tracker is changed', async () => {
    const { id, path } = await make({ destination: 'https://shop.example/', platforms: { android: PLAY } });
    const link = `${path}?deep_link=${encodeURIComponent('shop://product/42')}`;
    for (const [agent, expected] of [
      [ANDROID, 200],
      [IPHONE, 200],
      [DESKTOP, 302],
    ] as const) {
      const [first, second] = [await click(link, agent), await click(link, agent)] as [TestAnswer, TestAnswer];
      const tokens = [first, second].map(({ headers }) => headers['x-click-token'] as string) as [string, string];
      expect(tokens[0]).not.toBe(tokens[1]);
      expect(second.status).toBe(expected);
      expect(second.body).toBe(first.body.replaceAll(tokens[0], tokens[1]));
      const same = ({ headers }: TestAnswer): object => ({
        ...headers,
        date: '',
        'x-request-id': '',
        'x-click-token': '',
      });
      expect(same(second)).toEqual(same(first));
      expect(second.headers['x-request-id']).toMatch(/^\S+$/);
    }
    expect((await click(link, DESKTOP, { 'x-request-id': 'mine' })).headers['x-request-id']).toBe('mine');
    expect((await click(link, DESKTOP, {}, 'HEAD')).status).toBe(302);
    expect((await statsOf(id)).totals).toMatchObject({ clicks: 7, visitors: 3 });
    await call('PATCH', `trackers/${id}`, { destination: 'https://shop.example/new' });
    expect((await click(link, DESKTOP)).headers.location).toBe('https://shop.example/new');
    await call('DELETE', `trackers/${id}`);
    expect((await click(link, DESKTOP)).status).toBe(404);
  });

  it('hand a deep link over once, to the installation that shows the token of the click', async () => {
    const { id, path } = await make({ platforms: { android: PLAY } });
    const clicked = await click(`${path}?deep_link=shop%3A%2F%2Fproduct%2F42`, ANDROID);
    const token = clicked.headers['x-click-token'] as string;
    expect(clicked.body).toContain(`click_token%253D${token}`);
    await statsOf(id);
    const referrer = `utm_source=x&click_token=${token}`;
    const answers = await Promise.all(
      ['ann', 'bob', 'cid'].map((user) => register(user, { deviceType: 'android', installReferrer: referrer })),
    );
    expect(answers.map(({ body }) => body.deferredDeepLink).filter(Boolean)).toEqual(['shop://product/42']);
    const winner = answers.find(({ body }) => body.deferredDeepLink) as TestAnswer;
    expect(
      (await call('GET', `installations/${winner.body.id}`, undefined, client)).body.deferredDeepLink,
    ).toBeUndefined();
    const decide = (installationId: string): Promise<TestAnswer> =>
      call('POST', 'installations/deferredDeepLink', { installationId, opened: true }, client);
    expect((await decide(winner.body.id)).body).toEqual({ count: 1 });
    expect((await decide(winner.body.id)).body).toEqual({ count: 1 });
    const loser = answers.find(({ body }) => !body.deferredDeepLink) as TestAnswer;
    expect((await decide(loser.body.id)).status).toBe(404);
    expect((await statsOf(id)).totals).toMatchObject({ clicks: 1, installs: 1, opened: 1, declined: 0 });
  });

  it('hand a deep link over to an installation that registers right behind the click', async () => {
    const { path } = await make({ platforms: { android: PLAY } });
    const clicked = await click(`${path}?deep_link=shop%3A%2F%2Fat-once`, ANDROID);
    const clickToken = clicked.headers['x-click-token'] as string;
    const registered = await register('zoe', { deviceType: 'android', clickToken });
    expect(registered.body.deferredDeepLink).toBe('shop://at-once');
  });

  it('forget a deep link when its time is over, and what others clicked', async () => {
    const { id, path } = await make({ platforms: { ios: 'https://apps.apple.com/app/id1' } });
    const late = (await click(`${path}?deep_link=shop://late`)).headers['x-click-token'] as string;
    await statsOf(id);
    const stranger = await gateway.application('stranger', ['devices']);
    const foreign = await gateway.request('POST', '/api/installations', {
      body: { userId: 'eve', clickToken: late },
      headers: { 'x-access-token': stranger },
    });
    expect(foreign.body.deferredDeepLink).toBeUndefined();
    clock.advance(61 * 60_000);
    expect((await register('dan', { clickToken: late })).body.deferredDeepLink).toBeUndefined();
    const inTime = (await click(`${path}?deep_link=shop://intime`)).headers['x-click-token'] as string;
    await statsOf(id);
    clock.advance(59 * 60_000);
    expect((await register('dan', { clickToken: inTime })).body.deferredDeepLink).toBe('shop://intime');
  });

  it('match by network address only where the application wants that', async () => {
    const token = await gateway.application('near');
    const { path } = await make({ platforms: { ios: 'https://apps.apple.com/app/id1' } }, token);
    const registerNear = (userId: string, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
      register(userId, body, { 'x-access-token': token, ...headers });
    await click(`${path}?deep_link=shop://near`);
    await writeClicks();
    expect((await registerNear('fay', { osVersion: '17.4' })).body.deferredDeepLink).toBeUndefined();
    const kept = await rows<{ address: Buffer | null }>(
      gateway.database,
      `SELECT address_key AS address FROM deferred_links WHERE app_id = 'near'`,
    );
    expect(kept).toEqual([{ address: null }]);
    await rows(gateway.database, `UPDATE applications SET match_by_address = true WHERE app_id = 'near'`);
    clock.advance(10_000);
    await click(path);
    await click(`${path}?deep_link=shop://near`);
    await writeClicks();
    await click(`${path}?deep_link=shop://near`);
    await writeClicks();
    const answers = [
      await registerNear('gus', { deviceType: 'android' }),
      await registerNear('gus', { osVersion: '16.0' }),
      await registerNear('gus', { userAgent: IPHONE.replace('17_4_1', '17_5') }),
      await registerNear('gus', { osVersion: '17.4' }, { 'x-forwarded-for': '203.0.113.9' }),
      await registerNear('gus', { osVersion: '17.4' }, { 'user-agent': 'Shop/1.0 CFNetwork/1.0' }),
    ];
    expect(answers.map(({ body }) => body.deferredDeepLink)).toEqual([...Array<undefined>(4), 'shop://near']);
  });

  it('leave a link to the neighbour who clicked it, where the own click is not written yet', async () => {
    const token = await gateway.application('neighbours');
    await rows(gateway.database, `UPDATE applications SET match_by_address = true WHERE app_id = 'neighbours'`);
    const { path } = await make({ platforms: { ios: 'https://apps.apple.com/app/id1' } }, token);
    await click(`${path}?deep_link=shop://neighbours`);
    await writeClicks();
    const clicked = await click(`${path}?deep_link=shop://own`);
    const phone = { osVersion: '17.4', clickToken: clicked.headers['x-click-token'] };
    const registered = await register('hal', phone, { 'x-access-token': token });
    expect(registered.body.deferredDeepLink).toBe('shop://own');
  });
});

describe('trackers on a host of their own', () => {
  it('are served at its root, and the API beside them', async () => {
    const gateway = await startTestGateway({ trackerUrl: 'https://go.example/', publicUrl: 'https://push.example' });
    const token = await gateway.application('shop');
    const headers = { 'x-access-token': token };
    const { body } = await gateway.request('POST', '/api/trackers', {
      body: { name: 'x', destination: 'https://shop.example/' },
      headers,
    });
    expect(body.url).toBe(`https://go.example/${body.id}`);
    const at = (host: string, path: string): Promise<TestAnswer> => gateway.request('GET', path, { headers: { host } });
    expect(await at('go.example', `/${body.id}`)).toMatchObject({
      status: 302,
      headers: { location: 'https://shop.example/' },
    });
    expect((await at('GO.example', '/unknown')).headers['content-type']).toContain('text/html');
    expect((await at('go.example', '/health/live')).status).toBe(200);
    expect((await at('push.example', `/${body.id}`)).headers['content-type']).not.toContain('text/html');
    await gateway.close();
  });
});
